// SPDX-License-Identifier: MIT
import GestureEngine

extension GestureSettings {
    /// Sets what the configuration calls `key`; lengths in millimetres, times as `350ms`.
    ///
    /// - Returns: whether this kind has such a key, and an example may set it to that.
    mutating func set(_ key: String, _ value: String) -> Bool {
        switch self {
        case .press(var settings):
            guard key == "progress", let time = Self.time(value) else { return false }
            settings.progress = time
            self = .press(settings)
        case .tap(var settings):
            guard settings.set(key, value) else { return false }
            self = .tap(settings)
        case .longPress(var settings):
            guard settings.set(key, value) else { return false }
            self = .longPress(settings)
        case .repeat(var settings):
            guard settings.set(key, value) else { return false }
            self = .repeat(settings)
        case .drag(var settings):
            guard settings.set(key, value) else { return false }
            self = .drag(settings)
        case .swipe(var settings):
            guard settings.set(key, value) else { return false }
            self = .swipe(settings)
        }
        return true
    }

    fileprivate static func time(_ text: String) -> Interval? {
        guard text.hasSuffix("ms"), let value = Int64(text.dropLast(2)) else { return nil }
        return .milliseconds(value)
    }
}

extension TapSettings {
    fileprivate mutating func set(_ key: String, _ value: String) -> Bool {
        switch (key, Int(value), Double(value), GestureSettings.time(value)) {
        case ("wait", _, _, _): wait = true
        case ("fingers", let number?, _, _): fingers = number
        case ("count", let number?, _, _): count = number
        case ("slop", _, let length?, _): slop = length
        case ("max_time", _, _, let time?): maxTime = time
        default: return false
        }
        return true
    }
}

extension LongPressSettings {
    fileprivate mutating func set(_ key: String, _ value: String) -> Bool {
        switch (key, Int(value), GestureSettings.time(value)) {
        case ("fingers", let number?, _): fingers = number
        case ("delay", _, let time?): delay = time
        default: return false
        }
        return true
    }
}

extension RepeatSettings {
    fileprivate mutating func set(_ key: String, _ value: String) -> Bool {
        switch (key, Double(value), GestureSettings.time(value)) {
        case ("accelerate", let factor?, _): accelerate = factor
        case ("delay", _, let time?): delay = time
        case ("interval", _, let time?): interval = time
        case ("min_interval", _, let time?): minInterval = time
        case ("max_duration", _, let time?): maxDuration = time
        default: return false
        }
        return true
    }
}

extension DragSettings {
    fileprivate mutating func set(_ key: String, _ value: String) -> Bool {
        switch (key, value, Int(value), Double(value)) {
        case ("fingers", _, let number?, _): fingers = number
        case ("start", _, _, let length?): start = length
        case ("axis", "horizontal", _, _): axis = .horizontal
        case ("axis", "vertical", _, _): axis = .vertical
        case ("from", "down", _, _): from = .down
        default: return false
        }
        return true
    }
}

extension SwipeSettings {
    fileprivate mutating func set(_ key: String, _ value: String) -> Bool {
        switch (key, value, Int(value), Double(value)) {
        case ("fingers", _, let number?, _): fingers = number
        case ("directions", "all", _, _): directions = SwipeDirection.allCases
        case ("directions", "left+right", _, _): directions = [.left, .right]
        case ("max_deviation", _, _, let degrees?): maxDeviation = degrees
        case ("min_distance", _, _, let length?): minDistance = length
        case ("when", "threshold", _, _): when = .threshold
        default: return false
        }
        return true
    }
}
