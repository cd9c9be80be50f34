// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

/// Makes the schema of a file of settings from the forms of its keys.
struct FileSchema {
    /// The page that describes the keys.
    private let page: String
    private var described: DescribedKeys
    /// Members of tables that relate several keys, such as `required`.
    private let conditions: [String: JSONTree]
    /// The definitions of tables, in the order in which keys refer to them.
    private var definitions: [JSONTree.Member] = []

    init(_ page: String, _ project: Project, conditions: [String: JSONTree]) throws {
        self.page = page
        self.conditions = conditions
        described = try DescribedKeys(project, page)
    }

    /// Returns the text of the schema.
    /// - Parameters:
    ///   - keys: the keys of the file.
    ///   - more: definitions to which the forms of values refer.
    mutating func text(_ title: String, _ keys: [KeyForm], more: [JSONTree.Member] = []) throws -> String {
        let head: JSONTree = [
            "$schema": "http://json-schema.org/draft-07/schema#", "title": .text(title),
            "description": .text("The keys of \(title), see \(page)."),
        ]
        let body = try head.with(table("file", keys))
        try described.finish()
        let known = Self.units + more + definitions
        // A definition is listed if another one, or a key, refers to it.
        let written = body.line + known.map(\.value.line).joined()
        let used = known.filter { written.contains(JSONTree.definition($0.key).line) }
        return body.with(used.isEmpty ? [:] : ["definitions": .object(used)]).formatted() + "\n"
    }

    private mutating func table(_ name: String, _ keys: [KeyForm]) throws -> JSONTree {
        var properties: [JSONTree.Member] = []
        for key in keys { properties.append(.init(key: key.name, value: try property(key, in: name))) }
        return (["type": "object", "properties": .object(properties), "additionalProperties": false] as JSONTree)
            .with(conditions[name] ?? [:])
    }

    /// Returns the schema of a key with its description and its default.
    mutating func property(_ key: KeyForm, in table: String) throws -> JSONTree {
        try property(key.name, in: table, key.note, standard: key.note.form?.written(key.note.standard))
    }

    mutating func property(
        _ key: String, in table: String, _ note: ValueNote, standard: JSONTree?
    ) throws -> JSONTree {
        let sentence = try described.sentence(table, key, standard: standard?.line, range: note.form?.range)
        var property: JSONTree = ["description": .text(sentence)]
        if let standard { property = property.with(["default": standard]) }
        let schema = try schema(note, of: key)
        // Other members have no effect beside a reference.
        return property.with(schema.isReference ? ["allOf": [schema]] : schema)
    }

    /// - Parameter key: the key, after which a table is named.
    private mutating func schema(_ note: ValueNote, of key: String) throws -> JSONTree {
        guard let form = note.form else {
            throw VocabularyError(page, "the code that reads `\(key)`, or an element of it, notes no form")
        }
        return try schema(form, of: key)
    }

    private mutating func schema(_ form: ValueForm, of key: String) throws -> JSONTree {
        switch form {
        case .flag: return .boolean
        case .whole(let range) where range.count == 1: return ["const": .number("\(range.lowerBound)")]
        case .whole(let range): return .integer(Int(range.lowerBound)...Int(range.upperBound))
        case .number(let range, let isOpen):
            return [
                "type": "number", isOpen ? "exclusiveMinimum" : "minimum": .number(plain(range.lowerBound)),
                "maximum": .number(plain(range.upperBound)),
            ]
        case .text: return .string
        case .label(let pattern):
            let limits: JSONTree = ["minLength": 1, "maxLength": .int(Identifier.mostBytes)]
            return JSONTree.string.with(pattern.map { ["pattern": .text($0)] } ?? [:]).with(limits)
        case .path: return ["type": "string", "pattern": "^/"]
        case .identifier: return .definition("id")
        case .length: return .definition("length")
        case .speed: return .definition("speed")
        case .time: return .definition("time")
        case .coordinate: return .definition("coordinate")
        case .gesture: return .definition("gesture")
        case .choice(let choices):
            return choices.count == 1 ? ["const": choices[0].written] : ["enum": .list(choices.map(\.written))]
        case .orOff(let form): return ["anyOf": [["const": "off"], try schema(form, of: key)]]
        case .either(let forms): return ["anyOf": .list(try forms.map { try schema($0, of: key) })]
        case .list(let note, let count): return try list(note, count, of: key)
        case .tuple(let notes): return try tuple(notes, of: key)
        case .table(let keys): return try definition(key, keys)
        case .settings(let row): return try settings(row)
        case .fingers(let range):
            let number = "([\(range.lowerBound)-9]|\(range.upperBound))"
            let pattern = #"^(any|\#(number)\.\.\#(number))$"#
            return ["anyOf": [.integer(range), ["type": "string", "pattern": .text(pattern)]]]
        case .templates:
            let template = JSONTree.definition("template")
            return ["anyOf": [template, .array(of: template, least: 1, most: StrokeTemplate.most)]]
        case .step: return ["type": "string", "pattern": .text("^\(Self.id) \(Self.id)$")]
        }
    }

    private mutating func list(_ note: ValueNote, _ count: ClosedRange<Int>, of key: String) throws -> JSONTree {
        .array(
            of: try schema(note, of: key), least: count.lowerBound == 0 ? nil : count.lowerBound,
            most: count.upperBound == .max ? nil : count.upperBound)
    }

    private mutating func tuple(_ notes: [ValueNote], of key: String) throws -> JSONTree {
        let elements = try notes.map { try schema($0, of: key) }
        let isUniform = Set(elements.map(\.line)).count == 1
        return .array(of: isUniform ? elements[0] : .list(elements), least: elements.count, most: elements.count)
    }

    /// Defines a table, unless another key contains it, too: it is the same everywhere.
    private mutating func definition(_ key: String, _ keys: [KeyForm]) throws -> JSONTree {
        if !definitions.contains(where: { $0.key == key }) {
            definitions.append(.init(key: key, value: true))
            let table = try table(key, keys)
            definitions = definitions.map { $0.key == key ? .init(key: key, value: table) : $0 }
        }
        return .definition(key)
    }

    /// An id as in the definition `id`, without the marks for the beginning and the end.
    private static let id = #"[^\u0000-\u002D;-@\[-^`{-\u00A9][^\u0000-,;-@\[-^`{-\u00A9]{0,63}"#

    /// The definitions of values with units, and of ids.
    private static let units: [JSONTree.Member] = {
        func number(_ units: [String], _ end: String = "", sign: String = "\\+") -> JSONTree {
            let unit = "(\(units.joined(separator: "|")))\(end)"
            return ["type": "string", "pattern": .text("^\(sign)?[0-9]+(\\.[0-9]+)? ?\(unit)$")]
        }
        let lengths = Length.Unit.allCases.map(\.rawValue)
        let coordinate: JSONTree = ["anyOf": [.anyNumber, number(lengths, sign: "[+-]")]]
        let point = JSONTree.array(
            of: .numbers(-StrokeTemplate.largest...StrokeTemplate.largest), least: 2, most: 2)
        let (fewest, most) = (StrokeTemplate.counts.lowerBound, StrokeTemplate.counts.upperBound)
        let forms: [(String, String, JSONTree)] = [
            ("length", "A length: \"12px\", \"5%\" or \"8mm\".", number(lengths)),
            ("coordinate", "A length; a bare number counts pixels.", coordinate),
            (
                "time", "A time: \"500ms\", \"1.5s\", \"2min\" or \"1h\".",
                number(TimeUnit.allCases.map(\.rawValue))
            ),
            ("speed", "A speed: \"80mm/s\".", number(lengths, "/s")),
            (
                "id", "Letters, digits and _ . : / -, but no - at the beginning.",
                ["type": "string", "pattern": .text("^\(id)$")]
            ),
            ("template", "Points [x, y] in any unit, y down.", .array(of: point, least: fewest, most: most)),
        ]
        return forms.map { .init(key: $0, value: JSONTree.described($1).with($2)) }
    }()
}

extension JSONTree {
    /// A reference to a definition of a schema for files.
    static func definition(_ name: String) -> Self { ["$ref": .text("#/definitions/" + name)] }

    fileprivate var isReference: Bool {
        if case .object(let members) = self { members.map(\.key) == ["$ref"] } else { false }
    }
}

extension ValueForm.Choice {
    fileprivate var written: JSONTree { isNumber ? .number(text) : .text(text) }
}

extension ValueForm {
    /// The numbers that are allowed, or the lengths of a list, as on the pages; `nil` for other values.
    fileprivate var range: String? {
        switch self {
        case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range, _): "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
        case .fingers(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .list(_, let count): count.upperBound == .max ? nil : "\(count.lowerBound) to \(count.upperBound)"
        case .templates: "\(StrokeTemplate.counts.lowerBound) to \(StrokeTemplate.counts.upperBound)"
        case .orOff(let form): form.range
        default: nil
        }
    }

    /// Returns the value in force without a key as it is written in a file; `nil` if there is none.
    func written(_ standard: Any?) -> JSONTree? {
        let value = standard.flatMap { Self.unwrapped($0) }
        switch self {
        case .orOff(let form): return value == nil && standard != nil ? "off" : form.written(value)
        case .either(let forms): return forms.lazy.compactMap { $0.written(standard) }.first
        case .choice(let choices):
            guard standard != nil else { return nil }
            let words = choices.filter { choice in
                Self.unwrapped(choice.value) as? AnyHashable == value as? AnyHashable
            }
            return words.first?.written
        case .list(let note, _): return (value as? [Any]).flatMap { Self.written($0, note.form) }
        default: return value.flatMap { Self.written($0) }
        }
    }

    private static func written(_ values: [Any], _ form: ValueForm?) -> JSONTree? {
        let elements = values.map { form?.written($0) }
        return elements.contains { $0 == nil } ? nil : .list(elements.compactMap(\.self))
    }

    private static func written(_ value: Any) -> JSONTree? {
        switch value {
        case let flag as Bool: .flag(flag)
        case let number as Int: .int(number)
        case let text as String: .text(text)
        case let time as Interval: .text(time.written)
        case let setting as any TextSetting: .text(setting.text)
        default: nil
        }
    }

    /// Returns the value in an optional, also in several; `nil` if there is none.
    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }
}
