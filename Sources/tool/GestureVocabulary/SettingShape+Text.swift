// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

extension SettingShape {
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
        case (_, .time(let time)): .text(time.written)
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
}

extension Interval {
    /// The time as it is written in a configuration.
    var written: String {
        let milliseconds = wholeMilliseconds
        let (minutes, seconds) = (milliseconds / 60_000, milliseconds / 1000)
        // Few people write 1min instead of 60s.
        if minutes > 1, milliseconds % 60_000 == 0 { return "\(minutes)min" }
        return seconds > 0 && milliseconds % 1000 == 0 ? "\(seconds)s" : "\(milliseconds)ms"
    }
}
