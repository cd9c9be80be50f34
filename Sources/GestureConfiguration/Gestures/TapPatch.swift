// SPDX-License-Identifier: MIT
import GestureEngine

enum TapKey: String, TableKey {
    case fingers, count, wait, slop
    case maxTime = "max_time"
    case group, gap
    case minGap = "min_gap"
    case distance
}

/// Of `tap`, `double_tap` and `two_finger_tap`.
enum TapPatch: SettingsPatch {
    case fingers(Int)
    case count(Int)
    case wait(Bool)
    case slop(Length)
    case maxTime(Interval)
    case group(Interval)
    case gap(Interval)
    case minGap(Interval)
    case distance(Length)

    static let gestureOnly: [TapKey] = [.fingers, .count]

    static func read(_ key: TapKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        let word = key.rawValue
        switch key {
        case .fingers: return check.integer(word, value, GestureLimits.fingers).map { .fingers($0) }
        case .count: return check.integer(word, value, GestureLimits.count).map { .count($0) }
        case .wait: return check.boolean(word, value).map { .wait($0) }
        case .slop: return check.threshold(word, value).map { .slop($0) }
        case .maxTime: return check.interval(word, value, atLeast: .milliseconds(1)).map { .maxTime($0) }
        case .group: return check.interval(word, value).map { .group($0) }
        case .gap: return check.interval(word, value, atLeast: .milliseconds(1)).map { .gap($0) }
        case .minGap: return check.interval(word, value).map { .minGap($0) }
        case .distance: return check.threshold(word, value).map { .distance($0) }
        }
    }

    func apply(to settings: inout TapSettings, _ scale: LengthScale) {
        switch self {
        case .fingers(let fingers): settings.fingers = fingers
        case .count(let count): settings.count = count
        case .wait(let wait): settings.wait = wait
        case .slop(let length): settings.slop = scale.millimeters(length)
        case .maxTime(let interval): settings.maxTime = interval
        case .group(let interval): settings.group = interval
        case .gap(let interval): settings.gap = interval
        case .minGap(let interval): settings.minGap = interval
        case .distance(let length): settings.distance = scale.millimeters(length)
        }
    }

    var length: Length? {
        switch self {
        case .slop(let length), .distance(let length): length
        case .fingers, .count, .wait, .maxTime, .group, .gap, .minGap: nil
        }
    }
}
