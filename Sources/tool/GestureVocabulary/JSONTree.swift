// SPDX-License-Identifier: MIT

/// A JSON value whose members keep their order, for schemas.
enum JSONTree: Sendable {
    case text(String)
    /// A number as it is written.
    case number(String)
    case flag(Bool)
    case null
    case list([JSONTree])
    case object([Member])

    struct Member: Sendable {
        let key: String
        let value: JSONTree
    }

    /// The longest line with a whole list or object.
    private static let width = 120

    static func int(_ number: Int) -> Self { .number("\(number)") }

    static func texts(_ texts: [String]) -> Self { .list(texts.map { .text($0) }) }

    /// An object with the members of this one, and then others.
    func with(_ more: Self) -> Self {
        guard case .object(let members) = self, case .object(let others) = more else { return self }
        return .object(members + others)
    }

    /// The text on one line.
    var line: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): number
        case .flag(let flag): "\(flag)"
        case .null: "null"
        case .list(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.key)): \($0.value.line)" }.joined(separator: ", ") + "}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .text, .number, .flag, .null: true
        case .list, .object: false
        }
    }

    /// Returns the text. Lists and objects are on one line if they fit. Other lists of words and numbers fill their lines.
    /// - Parameters:
    ///   - indent: the number of blanks before the line on which the value begins.
    ///   - start: the characters of that line before the value and after it.
    func formatted(indent: Int = 0, start: Int = 0) -> String {
        let whole = line
        if start + whole.count <= Self.width { return whole }
        let (pad, end) = (String(repeating: " ", count: indent + 2), String(repeating: " ", count: indent))
        switch self {
        case .text, .number, .flag, .null: return whole
        case .list(let values) where values.allSatisfy(\.isScalar):
            return "[\n" + values.map(\.line).listed(pad).joined(separator: "\n") + "\n\(end)]"
        case .list(let values):
            let lines = values.map { pad + $0.formatted(indent: indent + 2, start: indent + 3) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(end)]"
        case .object(let members):
            let lines = members.map { member in
                let key = "\(pad)\(Self.quoted(member.key)): "
                return key + member.value.formatted(indent: indent + 2, start: key.count + 1)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(end)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number("\(value)") }
    init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension JSONTree: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    init(arrayLiteral elements: JSONTree...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSONTree)...) {
        self = .object(elements.map { Member(key: $0, value: $1) })
    }
}
