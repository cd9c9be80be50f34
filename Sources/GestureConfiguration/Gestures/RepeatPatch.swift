// SPDX-License-Identifier: MIT
import GestureEngine

enum RepeatKey: String, TableKey {
    case delay, interval, accelerate
    case minInterval = "min_interval"
    case maxDuration = "max_duration"
}

enum RepeatPatch: SettingsPatch {
    case delay(Interval)
    case interval(Interval)
    case accelerate(Double)
    case minInterval(Interval)
    case maxDuration(Interval)

    static func read(_ key: RepeatKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        let word = key.rawValue
        let shortest = GestureLimits.shortestInterval
        switch key {
        case .delay: return check.interval(word, value, atLeast: shortest).map { .delay($0) }
        case .interval: return check.interval(word, value, atLeast: shortest).map { .interval($0) }
        case .accelerate: return check.number(word, value, .above(0, to: 1)).map { .accelerate($0) }
        case .minInterval: return check.interval(word, value, atLeast: shortest).map { .minInterval($0) }
        case .maxDuration: return check.interval(word, value, atLeast: shortest).map { .maxDuration($0) }
        }
    }

    func apply(to settings: inout RepeatSettings, _ scale: LengthScale) {
        switch self {
        case .delay(let interval): settings.delay = interval
        case .interval(let interval): settings.interval = interval
        case .accelerate(let factor): settings.accelerate = factor
        case .minInterval(let interval): settings.minInterval = interval
        case .maxDuration(let interval): settings.maxDuration = interval
        }
    }

    var length: Length? { nil }
}
