// SPDX-License-Identifier: MIT
package import GestureProtocol

/// One request. Its keys are written in the given order.
package struct RequestLine {
    package let command: String
    /// The number of the request, which the reply repeats.
    package let id: Int
    private var keys: [(String, GestureClient.JSON)]

    package init(_ command: String, id: Int = 1, _ keys: [(String, GestureClient.JSON)] = []) {
        self.command = command
        self.id = id
        self.keys = keys
    }

    /// Appends a key and its value.
    package mutating func add(_ key: String, _ value: GestureClient.JSON) { keys.append((key, value)) }

    /// The line with its line feed.
    package var bytes: [UInt8] {
        JSONWriter.line { json in
            json.member("cmd", command)
            json.member("id", id)
            for (key, value) in keys {
                json.key(named: key)
                value.write(into: &json)
            }
        }
    }
}

extension JSONWriter {
    /// Writes a number in its shortest form: without a decimal point if it is whole, or as `null` if it is not finite.
    package mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        append(json: number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)")
    }

    /// Writes a member whose value is a number, as `value` does.
    package mutating func member(_ key: StaticString, _ number: Double) {
        self.key(key)
        value(number)
    }
}

extension GestureClient {
    /// A value in a request. Swift literals can be used, such as `["type": "long_press", "delay": "1s"]`.
    public enum JSON: Hashable, Sendable {
        case text(String)
        case whole(Int)
        /// A number. A number that is not finite is sent as `null`, which the daemon refuses.
        case number(Double)
        case flag(Bool)
        case list([JSON])
        /// An object. Its keys are written in alphabetical order.
        case object([String: JSON])

        /// Writes the value.
        package func write(into json: inout JSONWriter) {
            switch self {
            case .text(let text): json.value(text)
            case .whole(let number): json.value(number)
            case .number(let number): json.value(number)
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

    /// Creates an object. If a key is repeated, its last value is used.
    public init(dictionaryLiteral elements: (String, Self)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
