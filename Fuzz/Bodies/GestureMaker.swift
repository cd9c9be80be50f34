// SPDX-License-Identifier: MIT
import GestureEngine

/// Generates gestures of every kind, with numbers that a configuration allows.
struct GestureMaker {
    private static let lengths = [0, 0.5, 3, 5, 10, 40]
    private static let times: [Int64] = [0, 20_000, 40_000, 100_000, 300_000, 500_000, 3_000_000]

    static func gestures(_ bytes: inout FuzzBytes, ids: [String]) -> [Gesture] {
        var gestures: [Gesture] = []
        for number in 0..<bytes.below(7) {
            let settings = settings(&bytes, ids)
            var gesture = Gesture(name: "\(settings.kind)\(number)", word: word(settings.kind), settings: settings)
            let relations = bytes.byte()
            // As in a configuration, a gesture refers only to other gestures of the region, without a cycle.
            if let other = gestures.last, relations & 3 == 1 { gesture.after = [other.name] }
            if let other = gestures.first, relations & 12 == 4 { gesture.unless = [other.name] }
            gesture.exclusive = relations & 48 == 16
            gestures.append(gesture)
        }
        return gestures
    }

    private static func settings(_ bytes: inout FuzzBytes, _ ids: [String]) -> GestureSettings {
        switch bytes.below(12) {
        case 0: .press(press(&bytes))
        case 1: .tap(tap(&bytes))
        case 2: .longPress(longPress(&bytes))
        case 3: .repeat(repeating(&bytes))
        case 4: .drag(drag(&bytes))
        case 5: .swipe(swipe(&bytes))
        case 6: .pinch(pinch(&bytes))
        case 7: .rotate(rotate(&bytes))
        case 8: .dial(dial(&bytes))
        case 9: .chain(chain(&bytes))
        case 10: .stroke(stroke(&bytes))
        default: .pattern(pattern(&bytes, ids))
        }
    }

    private static func time(_ bytes: inout FuzzBytes) -> Interval { Interval(microseconds: bytes.pick(times)) }

    private static func press(_ bytes: inout FuzzBytes) -> PressSettings {
        var settings = PressSettings(progress: bytes.flip() ? .milliseconds(100) : nil)
        settings.taps = bytes.pick([0, 0, 1, 2])
        return settings
    }

    private static func tap(_ bytes: inout FuzzBytes) -> TapSettings {
        var tap = TapSettings()
        let shape = bytes.byte()
        tap.fingers = 1 + Int(shape & 3)
        tap.count = 1 + Int(shape >> 2 & 3)
        tap.wait = shape & 16 != 0
        guard shape & 32 != 0 else { return tap }
        (tap.slop, tap.maxTime, tap.group) = (bytes.pick(lengths), time(&bytes), time(&bytes))
        (tap.gap, tap.minGap, tap.distance) = (time(&bytes), time(&bytes), bytes.pick(lengths))
        tap.bounceDistance = bytes.pick(lengths)
        (tap.maxLiftSpread, tap.staysInside) = (bytes.flip() ? time(&bytes) : nil, bytes.flip())
        return tap
    }

    private static func longPress(_ bytes: inout FuzzBytes) -> LongPressSettings {
        var settings = LongPressSettings()
        settings.fingers = 1 + bytes.below(3)
        (settings.delay, settings.slop) = (time(&bytes), bytes.pick(lengths))
        settings.taps = bytes.pick([0, 0, 1, 2])
        (settings.cancelSlop, settings.staysInside) = (bytes.flip() ? bytes.pick(lengths) : nil, bytes.flip())
        return settings
    }

    private static func repeating(_ bytes: inout FuzzBytes) -> RepeatSettings {
        var settings = RepeatSettings()
        settings.delay = time(&bytes)
        settings.accelerate = max(0.1, bytes.fraction())
        settings.maxDuration = .milliseconds(bytes.pick([3000, 500, 0]))
        return settings
    }

    private static func drag(_ bytes: inout FuzzBytes) -> DragSettings {
        var settings = DragSettings()
        settings.fingers = 1 + bytes.below(3)
        settings.start = bytes.pick(lengths)
        settings.axis = bytes.pick([.any, .horizontal, .vertical])
        settings.from = bytes.pick([.start, .down])
        settings.isLocked = bytes.pick([false, true])
        (settings.taps, settings.zoom) = (bytes.pick([0, 0, 1, 2]), bytes.flip())
        settings.step = bytes.pick([0, 0, 2])
        return settings
    }

    private static func swipe(_ bytes: inout FuzzBytes) -> SwipeSettings {
        var settings = SwipeSettings()
        let shape = bytes.byte()
        settings.fingers = 1 + Int(shape & 1)
        settings.taps = Int(shape >> 7)
        if shape & 2 != 0 { settings.directions = SwipeDirection.allCases }
        if shape & 4 != 0 { settings.directions = [.right, .upLeft] }
        if shape & 8 != 0 { settings.maxDeviation = 20 }
        if shape & 16 != 0 { settings.when = .threshold }
        if shape & 32 != 0 { (settings.minDistance, settings.maxTime) = (bytes.pick(lengths), time(&bytes)) }
        if shape & 64 != 0 { (settings.minVelocity, settings.rest) = (bytes.pick([0, 80, 1300]), time(&bytes)) }
        return settings
    }

    private static func pinch(_ bytes: inout FuzzBytes) -> PinchSettings {
        var settings = PinchSettings()
        settings.start = bytes.pick(lengths)
        settings.minSpan = bytes.pick([0, 0, 20])
        settings.directions = bytes.pick([[.in, .out], [.in], [.out]])
        settings.step = bytes.pick([0, 0, 2])
        return settings
    }

    private static func dial(_ bytes: inout FuzzBytes) -> DialSettings {
        var dial = DialSettings()
        (dial.center, dial.start) = (bytes.flip() ? .drawn : .region, bytes.pick(lengths))
        (dial.step, dial.minRadius) = (bytes.pick(lengths), bytes.pick(lengths))
        return dial
    }

    private static func chain(_ bytes: inout FuzzBytes) -> ChainSettings {
        var chain = ChainSettings()
        chain.path = bytes.pick([[.right, .down], [.left, .right, .left], [.upLeft]])
        (chain.minSegment, chain.maxTime) = (bytes.pick(lengths), time(&bytes))
        chain.when = bytes.flip() ? .threshold : .lift
        return chain
    }

    private static func stroke(_ bytes: inout FuzzBytes) -> StrokeSettings {
        var stroke = StrokeSettings()
        stroke.templates = [
            StrokeTemplate([Point(x: 0, y: 0), Point(x: 10, y: 0), Point(x: 10, y: 10)]),
            StrokeTemplate([Point(x: bytes.pick(lengths), y: 0), Point(x: 0, y: bytes.pick(lengths))]),
        ]
        (stroke.minScore, stroke.minLength) = (bytes.flip() ? 0 : 0.7, bytes.pick(lengths))
        stroke.closed = bytes.flip()
        return stroke
    }

    private static func rotate(_ bytes: inout FuzzBytes) -> RotateSettings {
        var settings = RotateSettings()
        settings.start = bytes.pick([8, 0, 90, 360])
        settings.directions = bytes.pick([[.clockwise, .counterclockwise], [.clockwise], [.counterclockwise]])
        settings.step = bytes.pick([0, 0, 5])
        return settings
    }

    private static func pattern(_ bytes: inout FuzzBytes, _ ids: [String]) -> PatternSettings {
        var settings = PatternSettings()
        for _ in 0...bytes.below(4) {
            let kind = bytes.pick(["tap", "press", "long_press", "swipe", "repeat", "tap0", "drag1"])
            settings.steps.append(PatternSettings.Step(gesture: kind, region: bytes.pick(ids)))
        }
        guard bytes.flip() else { return settings }
        (settings.maxGap, settings.timeout, settings.lockout) = (time(&bytes), time(&bytes), time(&bytes))
        settings.attempts = 1 + bytes.below(3)
        return settings
    }

    private static func word(_ kind: GestureKind) -> String { kind == .longPress ? "long_press" : "\(kind)" }
}
