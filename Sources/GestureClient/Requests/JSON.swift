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

        func write(into json: inout JSONWriter) {
            switch self {
            case .text(let text): json.value(text)
            case .whole(let number): json.value(number)
            case .number(let number): json.append(json: number.isFinite ? "\(number)" : "null")
            case .flag(let flag): json.value(flag)
            case .list(let list):
                json.array { json in
                    for value in list { value.write(into: &json) }
                }
            case .object(let members):
                json.object { json in
                    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                        json.key(named: key)
                        value.write(into: &json)
                    }
                }
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
