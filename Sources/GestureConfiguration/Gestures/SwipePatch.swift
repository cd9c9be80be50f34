// SPDX-License-Identifier: MIT
import GestureEngine

enum SwipeKey: String, TableKey {
    case fingers, directions
    case minDistance = "min_distance"
    case maxTime = "max_time"
    case minVelocity = "min_velocity"
    case maxDeviation = "max_deviation"
    case rest, group, when
}

enum SwipePatch: SettingsPatch {
    case fingers(Int)
    case directions([SwipeDirection])
    case minDistance(Length)
    case maxTime(Interval)
    case minVelocity(Length)
    case maxDeviation(Double?)
    case rest(Interval)
    case group(Interval)
    case when(SwipeSettings.Moment)

    static let gestureOnly: [SwipeKey] = [.fingers]

    static let moments: [(String, SwipeSettings.Moment)] = [("lift", .lift), ("threshold", .threshold)]
    static let directionWords: [(String, SwipeDirection)] = [
        ("left", .left), ("right", .right), ("up", .up), ("down", .down), ("up_left", .upLeft),
        ("up_right", .upRight), ("down_left", .downLeft), ("down_right", .downRight),
    ]

    static func read(_ key: SwipeKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        let word = key.rawValue
        switch key {
        case .fingers: return check.integer(word, value, GestureLimits.fingers).map { .fingers($0) }
        case .directions: return readDirections(word, value, check).map { .directions($0) }
        case .minDistance: return check.threshold(word, value).map { .minDistance($0) }
        case .maxTime: return check.interval(word, value, atLeast: .milliseconds(1)).map { .maxTime($0) }
        case .minVelocity: return check.speed(word, value).map { .minVelocity($0) }
        case .maxDeviation:
            return check.optional(value) { check.number(word, value, .above(0, to: 90), unit: "°") }
                .map { .maxDeviation($0) }
        case .rest: return check.interval(word, value).map { .rest($0) }
        case .group: return check.interval(word, value).map { .group($0) }
        case .when: return check.word(word, value, moments).map { .when($0) }
        }
    }

    private static func readDirections(
        _ word: String, _ value: TomlValue, _ check: ValueReader
    ) -> [SwipeDirection]? {
        guard let values = check.array(word, of: "directions", value) else { return nil }
        var result: [SwipeDirection] = []
        for item in values {
            guard let direction = check.word("a direction", item, directionWords) else { return nil }
            if !result.contains(direction) { result.append(direction) }
        }
        if result.isEmpty {
            check.report.error(.badValue, "\(word) is empty; name at least one", at: value.region)
            return nil
        }
        return result
    }

    func apply(to settings: inout SwipeSettings, _ scale: LengthScale) {
        switch self {
        case .fingers(let fingers): settings.fingers = fingers
        case .directions(let directions): settings.directions = directions
        case .minDistance(let length): settings.minDistance = scale.millimeters(length)
        case .maxTime(let interval): settings.maxTime = interval
        case .minVelocity(let length): settings.minVelocity = scale.millimeters(length)
        case .maxDeviation(let degrees): settings.maxDeviation = degrees
        case .rest(let interval): settings.rest = interval
        case .group(let interval): settings.group = interval
        case .when(let moment): settings.when = moment
        }
    }

    var length: Length? {
        switch self {
        case .minDistance(let length), .minVelocity(let length): length
        case .fingers, .directions, .maxTime, .maxDeviation, .rest, .group, .when: nil
        }
    }
}
