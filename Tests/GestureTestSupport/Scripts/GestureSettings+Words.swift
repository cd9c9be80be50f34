// SPDX-License-Identifier: MIT
package import GestureEngine

extension GestureSettings {
    /// A kind's settings, as they are when nothing is said.
    package init(standard kind: GestureKind) {
        switch kind {
        case .press: self = .press(PressSettings())
        case .tap: self = .tap(TapSettings())
        case .longPress: self = .longPress(LongPressSettings())
        case .repeat: self = .repeat(RepeatSettings())
        case .drag: self = .drag(DragSettings())
        case .swipe: self = .swipe(SwipeSettings())
        case .pinch: self = .pinch(PinchSettings())
        case .rotate: self = .rotate(RotateSettings())
        case .pattern: self = .pattern(PatternSettings())
        }
    }

    /// The kind first, then each of its settings.
    package mutating func pass(through words: inout SettingsWords) {
        var kind = kind
        words.pass(&kind, of: GestureKind.allCases)
        if words.isReading { self = GestureSettings(standard: kind) }
        switch self {
        case .press(var settings):
            settings.pass(through: &words)
            self = .press(settings)
        case .tap(var settings):
            settings.pass(through: &words)
            self = .tap(settings)
        case .longPress(var settings):
            settings.pass(through: &words)
            self = .longPress(settings)
        case .repeat(var settings):
            settings.pass(through: &words)
            self = .repeat(settings)
        case .drag(var settings):
            settings.pass(through: &words)
            self = .drag(settings)
        case .swipe(var settings):
            settings.pass(through: &words)
            self = .swipe(settings)
        case .pinch(var settings):
            settings.pass(through: &words)
            self = .pinch(settings)
        case .rotate(var settings):
            settings.pass(through: &words)
            self = .rotate(settings)
        case .pattern(var settings):
            settings.pass(through: &words)
            self = .pattern(settings)
        }
    }
}

extension PressSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&progress, new: .zero) { $0.pass(&$1.microseconds) }
    }
}

extension TapSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&fingers)
        words.pass(&count)
        words.pass(&wait)
        words.pass(&slop)
        words.pass(&maxTime.microseconds)
        words.pass(&group.microseconds)
        words.pass(&gap.microseconds)
        words.pass(&minGap.microseconds)
        words.pass(&distance)
    }
}

extension LongPressSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&fingers)
        words.pass(&delay.microseconds)
        words.pass(&slop)
    }
}

extension RepeatSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&delay.microseconds)
        words.pass(&interval.microseconds)
        words.pass(&accelerate)
        words.pass(&minInterval.microseconds)
        words.pass(&maxDuration.microseconds)
    }
}

extension DragSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&fingers)
        words.pass(&start)
        words.pass(&axis, of: [.any, .horizontal, .vertical])
        words.pass(&from, of: [.start, .down])
    }
}

extension SwipeSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&fingers)
        words.pass(&directions, new: .left) { $0.pass(&$1, of: SwipeDirection.allCases) }
        words.pass(&minDistance)
        words.pass(&maxTime.microseconds)
        words.pass(&minVelocity)
        words.pass(&maxDeviation, new: 0) { $0.pass(&$1) }
        words.pass(&rest.microseconds)
        words.pass(&group.microseconds)
        words.pass(&when, of: [.lift, .threshold])
    }
}

extension PinchSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&start)
    }
}

extension RotateSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&start)
    }
}

extension PatternSettings {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&steps, new: Step(gesture: "", region: "")) {
            $0.pass(&$1.gesture)
            $0.pass(&$1.region)
        }
        words.pass(&maxGap.microseconds)
        words.pass(&timeout.microseconds)
        words.pass(&attempts)
        words.pass(&lockout.microseconds)
    }
}
