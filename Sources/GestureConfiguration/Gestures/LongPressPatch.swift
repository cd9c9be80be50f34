// SPDX-License-Identifier: MIT
import GestureEngine

enum LongPressKey: String, TableKey {
    case fingers, delay, slop
}

enum LongPressPatch: SettingsPatch {
    case fingers(Int)
    case delay(Interval)
    case slop(Length)

    static let gestureOnly: [LongPressKey] = [.fingers]

    static func read(_ key: LongPressKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        let word = key.rawValue
        switch key {
        case .fingers: return check.integer(word, value, GestureLimits.fingers).map { .fingers($0) }
        case .delay: return check.interval(word, value, atLeast: .milliseconds(1)).map { .delay($0) }
        case .slop: return check.threshold(word, value).map { .slop($0) }
        }
    }

    func apply(to settings: inout LongPressSettings, _ scale: LengthScale) {
        switch self {
        case .fingers(let fingers): settings.fingers = fingers
        case .delay(let interval): settings.delay = interval
        case .slop(let length): settings.slop = scale.millimeters(length)
        }
    }

    var length: Length? {
        if case .slop(let length) = self { length } else { nil }
    }
}
