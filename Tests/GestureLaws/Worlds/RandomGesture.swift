// SPDX-License-Identifier: MIT
import GestureEngine

/// Generates gestures of every kind, with numbers within the limits of a configuration, including the limits
/// themselves.
struct RandomGesture {
    private var random: RunRandom

    init(_ random: RunRandom, isCoarse: Bool) {
        self.random = random
        self.random.isCoarse = isCoarse
    }

    /// - Parameter isPlain: whether only gestures of one finger are made, of kinds that split movements do not change.
    mutating func make(_ name: String, isPlain: Bool) -> Gesture {
        switch random.below(isPlain ? 9 : 18) {
        case 0: return Gesture(name: name, word: "press", settings: .press(press()))
        case 1, 2, 3: return tap(name, isPlain: isPlain)
        case 4, 5: return Gesture(name: name, word: "long_press", settings: .longPress(longPress(isPlain: isPlain)))
        case 6, 7: return Gesture(name: name, word: "swipe", settings: .swipe(swipe(isPlain: isPlain)))
        case 8, 9, 10: return Gesture(name: name, word: "drag", settings: .drag(drag(isPlain: isPlain)))
        case 11: return Gesture(name: name, word: "repeat", settings: .repeat(repeating()))
        case 12, 13:
            return Gesture(name: name, word: "pinch", settings: .pinch(pinch()))
        case 14: return Gesture(name: name, word: "dial", settings: .dial(dial()))
        case 15: return Gesture(name: name, word: "chain", settings: .chain(chain()))
        case 16: return Gesture(name: name, word: "stroke", settings: .stroke(stroke()))
        default:
            return Gesture(name: name, word: "rotate", settings: .rotate(rotate()))
        }
    }

    private mutating func pinch() -> PinchSettings {
        var settings = PinchSettings()
        if random.chance(40) { settings.start = random.chance(20) ? 0 : random.length(0.5, 12) }
        if random.chance(30) { settings.minSpan = random.length(5, 40) }
        if random.chance(30) { settings.directions = [random.pick([.in, .out])] }
        if random.chance(30) { settings.step = random.length(0.25, 10) }
        return settings
    }

    private mutating func rotate() -> RotateSettings {
        var settings = RotateSettings()
        if random.chance(40) { settings.start = random.chance(20) ? 0 : random.length(1, 30) }
        if random.chance(30) { settings.directions = [random.pick([.clockwise, .counterclockwise])] }
        if random.chance(30) { settings.step = random.length(1, 20) }
        return settings
    }

    private mutating func dial() -> DialSettings {
        var settings = DialSettings()
        if random.chance(40) { settings.center = .drawn }
        if random.chance(40) { settings.start = random.chance(20) ? 0 : random.length(1, 30) }
        if random.chance(30) { settings.directions = [random.pick([.clockwise, .counterclockwise])] }
        if random.chance(30) { settings.step = random.length(1, 20) }
        if random.chance(30) { settings.minRadius = random.length(0.25, 20) }
        return settings
    }

    private mutating func chain() -> ChainSettings {
        var settings = ChainSettings()
        let directions = SwipeDirection.allCases.prefix(random.chance(60) ? 4 : 8)
        for _ in 0..<random.pick([1, 1, 1, 2, 2, 2, 3, 4, 8]) {
            settings.path.append(random.pick(directions.filter { $0 != settings.path.last }))
        }
        if random.chance(60) { settings.minSegment = random.length(0.5, 12) }
        if random.chance(30) { settings.maxTime = milliseconds(50, 3000) }
        if random.chance(30) { settings.when = .threshold }
        return settings
    }

    private mutating func stroke() -> StrokeSettings {
        var settings = StrokeSettings()
        settings.templates = (0...random.below(3)).map { _ in template() }
        if random.chance(60) { settings.minScore = random.number(0, 0.8) }
        if random.chance(30) { settings.rotation = random.length(0.25, 180) }
        if random.chance(30) { settings.minLength = random.length(0.5, 40) }
        if random.chance(20) { settings.closed = false }
        return settings
    }

    /// A straight line, a corner, or any other shape of up to six points.
    private mutating func template() -> StrokeTemplate {
        let end = StrokeTemplate([.zero, Point(x: random.number(1, 10), y: random.number(-10, 10))])
        guard random.chance(60) else { return end }
        return StrokeTemplate(
            end.points
                + (0..<1 + random.below(4)).map { _ in Point(x: random.number(-10, 10), y: random.number(-10, 10)) })
    }

    private mutating func taps() -> Int { random.pick([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2]) }

    private mutating func fingers() -> Int { random.pick([1, 1, 1, 1, 1, 1, 2, 2, 3, 5]) }

    private mutating func milliseconds(_ low: Int64, _ high: Int64) -> Interval {
        Interval(microseconds: random.time(low * 1000, high * 1000))
    }

    private mutating func press() -> PressSettings {
        var settings = PressSettings(progress: random.chance(30) ? milliseconds(20, 400) : nil)
        settings.taps = taps()
        settings.isSingle = random.chance(20)
        return settings
    }

    private mutating func tap(_ name: String, isPlain: Bool) -> Gesture {
        var settings = TapSettings()
        if !isPlain { settings.fingers = fingers() }
        settings.count = random.pick([1, 1, 1, 1, 2, 2, 3])
        settings.wait = random.chance(30)
        if random.chance(25) { settings.slop = random.length(0.25, 8) }
        if random.chance(25) { settings.maxTime = milliseconds(50, 1000) }
        if random.chance(20) { settings.group = milliseconds(0, 200) }
        if random.chance(20) { settings.gap = milliseconds(60, 800) }
        if random.chance(20) { settings.minGap = milliseconds(0, 50) }
        if random.chance(20) { settings.bounceDistance = random.length(0, 60) }
        if random.chance(20) { settings.distance = random.length(0.5, 40) }
        if random.chance(15) { settings.maxLiftSpread = milliseconds(0, 200) }
        settings.staysInside = random.chance(20)
        if random.chance(8) { (settings.slop, settings.maxTime) = (.infinity, .unlimited) }
        if random.chance(10) { settings.minTime = milliseconds(0, 60) }
        if settings.count > 1, !settings.wait, random.chance(25) { settings.when = .landing }
        let word =
            switch (settings.fingers, settings.count) {
            case (_, 2) where random.chance(50): "double_tap"
            case (2, _) where random.chance(50): "two_finger_tap"
            default: "tap"
            }
        return Gesture(name: name, word: word, settings: .tap(settings))
    }

    private mutating func longPress(isPlain: Bool) -> LongPressSettings {
        var settings = LongPressSettings()
        settings.taps = taps()
        if !isPlain { settings.fingers = random.pick([1, 1, 1, 2, 3]) }
        if random.chance(50) { settings.delay = milliseconds(50, 1500) }
        if random.chance(30) { settings.slop = random.length(0.25, 12) }
        settings.staysInside = random.chance(20)
        if random.chance(25) { settings.cancelSlop = random.length(0, 12) }
        return settings
    }

    private mutating func repeating() -> RepeatSettings {
        var settings = RepeatSettings()
        if random.chance(50) { settings.delay = milliseconds(50, 800) }
        if random.chance(40) { settings.interval = milliseconds(20, 300) }
        if random.chance(40) { settings.accelerate = random.number(0.3, 1) }
        if random.chance(30) { settings.minInterval = milliseconds(10, 100) }
        // The duration is short, because a leap in time causes every repetition within it.
        settings.maxDuration = milliseconds(100, 5000)
        return settings
    }

    private mutating func drag(isPlain: Bool) -> DragSettings {
        var settings = DragSettings()
        settings.taps = taps()
        settings.zoom = random.chance(20)
        if !isPlain {
            settings.fingers = random.pick([1, 1, 1, 1, 2, 2, 3])
            if random.chance(20) { settings.fingerRange = settings.fingers...(settings.fingers + random.below(4)) }
            if random.chance(15) { settings.minFingers = 1 + random.below(3) }
        }
        if random.chance(40) { settings.start = random.chance(30) ? 0 : random.length(0.25, 15) }
        settings.axis = random.pick([.any, .any, .horizontal, .vertical])
        settings.from = random.chance(75) ? .start : .down
        settings.isLocked = random.chance(25)
        if random.chance(25) { settings.step = random.length(0.25, 10) }
        return settings
    }

    private mutating func swipe(isPlain: Bool) -> SwipeSettings {
        var settings = SwipeSettings()
        settings.taps = taps()
        if !isPlain { settings.fingers = random.pick([1, 1, 1, 2, 2, 3]) }
        if random.chance(35) {
            settings.directions = SwipeDirection.allCases.filter { _ in random.chance(50) }
            if settings.directions.isEmpty { settings.directions = [.left] }
        }
        if random.chance(30) { settings.minDistance = random.length(1, 40) }
        if random.chance(30) { settings.maxTime = milliseconds(50, 2000) }
        if random.chance(30) { settings.minVelocity = random.number(0, 400) }
        if random.chance(20) { settings.maxDeviation = random.number(1, 45) }
        if random.chance(20) { settings.rest = milliseconds(0, 300) }
        if random.chance(20) { settings.group = milliseconds(0, 200) }
        // In a plain run movements are split, and the first half might reach the threshold in another direction.
        settings.when = isPlain || random.chance(70) ? .lift : .threshold
        return settings
    }
}
