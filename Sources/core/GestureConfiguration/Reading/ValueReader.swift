// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// Reads one value. Its functions return `nil` after they have reported an error at the location of the value.
package struct ValueReader {
    /// The name of the value in diagnostics: its key, or words such as `a step`.
    package let name: String
    let value: ConfigurationValue
    /// The name of the table that contains the value, for diagnostics.
    let owner: String
    let sink: DiagnosticSink
    /// Whether the value may also be `"off"`. Errors then say so.
    private var mayBeOff = false
    /// Where to note the form of the value, for a reader that reads no value.
    private var note: ValueNote?
    private var orOff: String { mayBeOff ? ", or \"off\"" : "" }

    init(_ name: String, _ value: ConfigurationValue, owner: String = "", _ sink: DiagnosticSink) {
        self.name = name
        self.value = value
        self.owner = owner
        self.sink = sink
    }

    /// A reader that notes the form of a value.
    init(_ name: String, noting note: ValueNote) {
        let value = ConfigurationValue(kind: .null, range: SourceRange(file: 0, line: 1, column: 1))
        self.init(name, value, DiagnosticSink(files: []))
        self.note = note
    }

    /// Returns a reader of the same value with another name in diagnostics.
    package func named(_ name: String) -> Self {
        var reader = Self(name, value, owner: owner, sink)
        (reader.mayBeOff, reader.note) = (mayBeOff, note)
        return reader
    }

    // MARK: Forms

    /// Whether it notes the form of the value, and reads none.
    var isNoting: Bool { note != nil }

    /// Notes the form of the value, unless there is a value to read.
    /// - Returns: whether it noted the form. The caller then returns what it returns after an error.
    package func notes(_ form: @autoclosure () -> ValueForm) -> Bool {
        note?.form = form()
        return isNoting
    }

    /// Notes the value in force if no file has the key.
    package func noteStandard(_ value: @autoclosure () -> Any?) { note?.standard = value() }

    /// A reader of the same value that is named `shape of region "ok"`.
    var qualified: Self { named("\(name) of \(owner)") }

    /// Reports an error at the location of the value.
    package func error(_ code: DiagnosticCode, _ message: String, suggestion: String? = nil) {
        report(code, message + orOff, suggestion: suggestion)
    }

    /// Reports an error and returns `nil`, for a function that returns `nil` if it cannot read the value.
    package func error<Value>(_ code: DiagnosticCode, _ message: String, suggestion: String? = nil) -> Value? {
        error(code, message, suggestion: suggestion)
        return nil
    }

    /// Reports that the value does not have the expected type, and returns `nil`.
    package func wrongType<Value>(_ expected: String) -> Value? {
        report(.wrongType, "\(name) must be \(expected)\(orOff), not \(value.typeName)")
        return nil
    }

    private func report(_ code: DiagnosticCode, _ message: String, suggestion: String? = nil) {
        var word: String?
        if mayBeOff, case .string(let text) = value.kind { word = nearest(to: text, among: ["off"]) }
        sink.error(code, message, suggestion: suggestion ?? word, at: value.range)
    }

    /// The location of the value, for diagnostics that are made later.
    package var location: SourceLocation { sink.location(of: value.range) }

    // MARK: Texts

    /// Reads a text.
    package func string() -> String? {
        if notes(.text) { return nil }
        guard case .string(let text) = value.kind else { return wrongType("a string") }
        return text
    }

    /// Reads a text on one line, such as the name of a user, a glob, or a reference that need not be a valid id.
    /// - Parameter pattern: a regular expression that the caller checks.
    package func label(matching pattern: @autoclosure () -> String? = nil) -> String? {
        if notes(.label(matching: pattern())) { return nil }
        guard let text = string() else { return nil }
        let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard !text.isEmpty, text.utf8.count <= Identifier.mostBytes, isPrintable else {
            return error(.badValue, "\(name) must be 1 to \(Identifier.mostBytes) bytes without control characters")
        }
        return text
    }

    /// Reads the absolute path of a file or a folder, which need not exist.
    package func path() -> String? {
        if notes(.path) { return nil }
        guard let text = string() else { return nil }
        guard text.hasPrefix("/"), text.utf8.count < 4096, !text.utf8.contains(0) else {
            return error(.badValue, "\(name) must be an absolute path")
        }
        return text
    }

    /// Reads what says something: the path of a file, or `"auto"`, for which it returns `auto`.
    package func file<Source>(orAuto auto: Source, _ source: (String) -> Source) -> Source? {
        if notes(.either([.choice([.init("auto", auto as Any)]), .path])) { return nil }
        guard case .string(let text) = value.kind else { return wrongType("\"auto\" or the path of a file") }
        if text == "auto" { return auto }
        guard text.hasPrefix("/") else {
            return error(.badValue, "\(name) cannot be \"\(text)\"; use \"auto\" or the absolute path of a file")
        }
        return path().map(source)
    }

    /// Reads an id or the name of a gesture, which must be an `Identifier`.
    func identifier() -> String? {
        if notes(.identifier) { return nil }
        guard let text = string() else { return nil }
        guard let mistake = Identifier.mistake(in: text) else { return text }
        return error(
            .badValue, "\(name) \"\(SafeText.excerpt(text))\" \(mistake)", suggestion: Identifier.cured(text))
    }

    /// Reads one of the given words, and returns the value that belongs to it.
    package func choice<Choice>(_ choices: [(String, Choice)]) -> Choice? {
        if notes(.choice(choices.map { ValueForm.Choice($0.0, $0.1) })) { return nil }
        let words = choices.map { $0.0 }
        let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
        guard case .string(let text) = value.kind else { return wrongType("one of \(list)") }
        if let choice = choices.first(where: { $0.0 == text }) { return choice.1 }
        return error(
            .badValue, "\(name) cannot be \"\(text)\"; use one of \(list)",
            suggestion: nearest(to: text, among: words))
    }

    // MARK: Numbers

    /// Whether the value is an integer. Used for keys that also accept a string.
    package var isInteger: Bool {
        if case .integer = value.kind { true } else { false }
    }

    /// Reads `true` or `false`.
    package func boolean() -> Bool? {
        if notes(.flag) { return nil }
        guard case .boolean(let flag) = value.kind else { return wrongType("true or false") }
        return flag
    }

    /// Reads a whole number in a range.
    package func integer(_ range: ClosedRange<Int64>) -> Int? {
        if notes(.whole(range)) { return nil }
        guard case .integer(let number) = value.kind else { return wrongType("a whole number") }
        guard range.contains(number) else {
            let allowed = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            return error(.outOfRange, "\(name) is \(number); it must be \(allowed)")
        }
        return Int(number)
    }

    /// Reads a number without a unit, whole or not.
    ///
    /// - Parameter isOpen: whether the lower bound itself is excluded.
    func number(_ range: ClosedRange<Double>, isOpen: Bool = false, unit: String = "") -> Double? {
        if notes(.number(range, isOpen: isOpen)) { return nil }
        let number: Double
        switch value.kind {
        case .integer(let whole): number = Double(whole)
        case .number(let fraction): number = fraction
        default:
            return wrongType("a number")
        }
        guard range.contains(number), !isOpen || number > range.lowerBound else {
            let (lowest, highest) = ("\(plain(range.lowerBound))\(unit)", "\(plain(range.upperBound))\(unit)")
            let allowed = isOpen ? "more than \(lowest), at most \(highest)" : "\(lowest) to \(highest)"
            return error(.outOfRange, "\(name) is \(plain(number))\(unit); it must be \(allowed)")
        }
        return number
    }

    /// Reads a value with `read`, or `"off"`, for which it returns `.some(nil)`.
    func unlessOff<Value>(_ read: (Self) -> Value?) -> Value?? {
        if let note {
            _ = read(self)
            note.form = note.form.map { .orOff($0) }
            return nil
        }
        if case .string("off") = value.kind { return .some(nil) }
        var reader = self
        reader.mayBeOff = true
        return read(reader).map { .some($0) }
    }

    // MARK: Arrays and tables

    /// - Parameters:
    ///   - what: the contents of the array, in words.
    ///   - name: the name of an element in diagnostics.
    ///   - most: the maximum number of elements; more are reported and left out.
    package func array(of what: String, each name: String = "", most: Int = .max) -> [ValueReader]? {
        if isNoting {
            let element = ValueNote()
            note?.form = .list(element, 0...most)
            return [Self(self.name, noting: element)]
        }
        guard case .array(let values) = value.kind else { return wrongType("an array of \(what)") }
        if values.count > most {
            error(.tooMany, "\(self.name) has \(values.count) \(what); use at most \(most)")
        }
        return values.prefix(most).map { Self(name, $0, owner: owner, sink) }
    }

    /// Returns the elements of an array, or the value itself if it is not an array.
    /// - Parameters:
    ///   - what: the contents of the array, in words.
    ///   - name: the name of an element in diagnostics.
    package func oneOrMore(of what: String, each name: String) -> [ValueReader]? {
        if case .array = value.kind { array(of: what, each: name) } else { [self] }
    }

    /// The maximum number of globs in a list, as many as there may be ids. Each is compared with each id.
    private static let mostGlobs = 2000

    /// Reads globs for ids; a glob that matches no id causes a warning.
    /// - Parameters:
    ///   - what: the contents of the array, in words.
    ///   - kind: the kind of each element, in words.
    func globs(of what: String, each kind: String, among ids: [String]) -> [Glob]? {
        array(of: what, each: "a \(kind) of \(owner)", most: Self.mostGlobs)?.compactMap { item in
            guard let text = item.label() else { return nil }
            let glob = Glob(text)
            if !ids.contains(where: { glob.matches($0) }) {
                sink.warning(
                    .unmatched, "\(owner): no \(kind) is named \"\(text)\"",
                    suggestion: nearest(to: text, among: ids), at: item.value.range)
            }
            return glob
        }
    }

    /// Reads an array of exactly these elements, such as `[x, y]`.
    package func tuple(_ names: [String], of what: String) -> [ValueReader]? {
        if isNoting {
            let elements = names.map { _ in ValueNote() }
            note?.form = .tuple(elements)
            return zip(names, elements).map { Self($0, noting: $1) }
        }
        guard let values = array(of: what) else { return nil }
        guard values.count == names.count else {
            return error(.badValue, "\(name) must be [\(names.joined(separator: ", "))], not \(values.count) values")
        }
        return zip(values, names).map { $0.named($1) }
    }

    func table() -> ConfigurationTable? {
        guard case .table(let table) = value.kind else { return wrongType("a table") }
        return table
    }

    /// - Parameter name: the name of the table in diagnostics; by default `storm of [filter]`.
    func table(keys: [String], name: String? = nil) -> TableReader? {
        let value = name.map { named($0) } ?? qualified
        return value.table().map { TableReader($0, name: value.name, range: value.value.range, keys: keys, sink) }
    }

    /// Reads a table of `defaults`.
    func overrides(of row: KindRow) -> [GestureOverride] {
        if notes(.settings(row)) { return [] }
        let keys = row.defaultKeys
        return table(keys: keys.map { $0.name })?.overrides(keys) ?? []
    }

    /// Reads a table with these keys. Values with errors leave `target` unchanged.
    /// - Returns: `nil`, after reporting an error, if the value is not a table.
    @discardableResult
    package func table<Target>(_ keys: [Key<Target>], into target: inout Target, name: String? = nil) -> TableReader? {
        if notes(.table(keys.map { $0.form(in: target) })) { return nil }
        let reader = table(keys: keys.map { $0.name }, name: name)
        reader?.read(keys, into: &target)
        return reader
    }

    /// Notes the form of a list of tables, which `FileMerge` reads.
    func list<Target>(of keys: [Key<Target>], like target: Target) {
        var target = target
        array(of: "tables")?.first?.table(keys, into: &target)
    }
}
