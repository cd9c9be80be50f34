// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

extension SettingShape {
    /// An id as in the definition `id`, without the marks for the beginning and the end.
    private static let id = #"[^\u0000-\u002D;-@\[-^`{-\u00A9][^\u0000-,;-@\[-^`{-\u00A9]{0,63}"#

    /// The schema of a value.
    var schema: JSONTree {
        switch self {
        case .flag: ["type": "boolean"]
        case .count(let range):
            ["type": "integer", "minimum": .number("\(range.lowerBound)"), "maximum": .number("\(range.upperBound)")]
        case .degrees(let range, let isOpen), .ratio(let range, let isOpen):
            [
                "type": "number", isOpen ? "exclusiveMinimum" : "minimum": .number(plain(range.lowerBound)),
                "maximum": .number(plain(range.upperBound)),
            ]
        case .length: Self.reference("length")
        case .speed: Self.reference("speed")
        case .time: Self.reference("time")
        case .word(let words): ["enum": .texts(words)]
        case .words(let words): ["type": "array", "minItems": 1, "items": ["enum": .texts(words)]]
        case .path(let words, let most):
            ["type": "array", "minItems": 1, "maxItems": .number("\(most)"), "items": ["enum": .texts(words)]]
        case .counts(let range):
            ["anyOf": [Self.count(range).schema, ["type": "string", "pattern": .text(Self.pattern(range))]]]
        case .oneOrAny: ["enum": [1, "any"]]
        case .templates:
            [
                "anyOf": [
                    Self.reference("template"),
                    [
                        "type": "array", "minItems": 1, "maxItems": .number("\(StrokeTemplate.most)"),
                        "items": Self.reference("template"),
                    ],
                ]
            ]
        case .steps:
            [
                "type": "array", "minItems": 1, "maxItems": .number("\(PatternSettings.mostSteps)"),
                "items": ["type": "string", "pattern": .text("^\(Self.id) \(Self.id)$")],
            ]
        case .orOff(let shape): ["anyOf": [["const": "off"], shape.schema]]
        }
    }

    /// The schema of a value beside other members, such as a description: they have no effect beside `$ref`.
    var members: JSONTree {
        switch self {
        case .length, .speed, .time: ["allOf": [schema]]
        default: schema
        }
    }

    private static func reference(_ name: String) -> JSONTree { ["$ref": .text("#/definitions/" + name)] }

    /// A pattern for `any` and for ranges in `range`, which begins with one digit and ends with 10.
    private static func pattern(_ range: ClosedRange<Int>) -> String {
        let number = "([\(range.lowerBound)-9]|\(range.upperBound))"
        return #"^(any|\#(number)\.\.\#(number))$"#
    }

    /// A value as it is written in a configuration.
    func written(_ value: SettingValue) -> JSONTree {
        switch (self, value) {
        case (_, .off): "off"
        case (.oneOrAny, .flag(let isOne)): isOne ? 1 : "any"
        case (_, .flag(let flag)): .flag(flag)
        case (_, .count(let count)): .number("\(count)")
        case (.length, .number(let number)): .text(plain(number) + "mm")
        case (.speed, .number(let number)): .text(plain(number) + "mm/s")
        case (.ratio, .number(let number)): .number("\(number)")
        case (.orOff(let shape), _): shape.written(value)
        case (_, .number(let number)): .number(plain(number))
        case (_, .time(let time)): .text(Self.text(time))
        case (_, .counts(let range)):
            range.count == 1 ? .number("\(range.lowerBound)") : .text("\(range.lowerBound)..\(range.upperBound)")
        case (.word, .words(let words)): .text(words.joined())
        case (_, .words(let words)): .texts(words)
        case (_, .templates(let templates)):
            templates.count == 1 ? Self.points(templates[0]) : .list(templates.map(Self.points))
        case (_, .steps(let steps)): .texts(steps.map { "\($0.gesture) \($0.region)" })
        }
    }

    private static func points(_ template: StrokeTemplate) -> JSONTree {
        .list(template.points.map { [.number(plain($0.x)), .number(plain($0.y))] })
    }

    private static func text(_ time: Interval) -> String {
        let milliseconds = time.wholeMilliseconds
        return milliseconds >= 1000 && milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
