// SPDX-License-Identifier: MIT
import GestureProtocol

extension GestureClient {
    /// What a request says, in Swift's own literals: `["type": "long_press", "delay": "1s"]`.
    public enum JSON: Hashable, Sendable {
        case text(String)
        case whole(Int)
        /// Finite; anything else becomes `null`, which the daemon refuses.
        case number(Double)
        case flag(Bool)
        case list([JSON])
        /// Written with its keys in alphabetical order.
        case object([String: JSON])

        func write(into line: inout LineBuffer) {
            switch self {
            case .text(let text): line.appendQuoted(text)
            case .whole(let number): line.appendInteger(number)
            case .number(let number): line.append(text: number.isFinite ? "\(number)" : "null")
            case .flag(let flag): line.appendBool(flag)
            case .list(let list):
                for (index, value) in list.enumerated() {
                    line.append(index == 0 ? "[" : ",")
                    value.write(into: &line)
                }
                line.append(list.isEmpty ? "[]" : "]")
            case .object(let members):
                for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                    line.append(index == 0 ? "{" : ",")
                    line.appendQuoted(member.key)
                    line.append(":")
                    member.value.write(into: &line)
                }
                line.append(members.isEmpty ? "{}" : "}")
            }
        }
    }
}

extension GestureClient.JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .whole(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    public init(arrayLiteral elements: Self...) { self = .list(elements) }

    /// Of a key that stands there twice the last value counts.
    public init(dictionaryLiteral elements: (String, Self)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension LineBuffer {
    /// Appends text that is JSON already.
    mutating func append(text: String) {
        for byte in text.utf8 { append(byte) }
    }
}
