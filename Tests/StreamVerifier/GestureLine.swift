// SPDX-License-Identifier: MIT

/// A parsed `gesture` line.
struct GestureLine {
    enum Kind: Int, CaseIterable {
        case press, tap, doubleTap, twoFingerTap, longPress, `repeat`, drag, swipe, pinch, rotate, pattern

        static let words: [StaticString] = [
            "press", "tap", "double_tap", "two_finger_tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate",
            "pattern",
        ]

        var isContinuous: Bool {
            switch self {
            case .press, .longPress, .drag, .pinch, .rotate: true
            case .tap, .doubleTap, .twoFingerTap, .repeat, .swipe, .pattern: false
            }
        }
    }

    enum Phase: Int {
        case begin, update, end, cancel

        static let words: [StaticString] = ["begin", "update", "end", "cancel"]
    }

    static let reasons: [StaticString] = [
        "claimed", "multi_touch", "palm", "device_removed", "sync_lost", "reload", "disabled", "client", "handover",
        "suspend", "rest", "movement",
    ]
    static let directions: [StaticString] = [
        "left", "right", "up", "down", "up_left", "up_right", "down_left", "down_right",
    ]

    var kind: Kind?
    var kindWord = Word()
    var name = Word()
    var phase: Phase?
    var region = Word()
    var device = Word()
    var sequence: Int64 = 0
    var fingers: Int64 = 0
    /// The count of a tap, or `n` of a repeat.
    var count: Int64 = 0
    var positions: [(x: Double, y: Double)] = []
    var coalesced: Int64 = 0
    var time: Int64 = 0

    /// Reads the part after `"seq":N`.
    init(_ cursor: inout LineCursor) {
        cursor.key("gesture")
        kindWord = cursor.string()
        kind = cursor.index(of: kindWord, "gesture", in: Kind.words).flatMap { Kind(rawValue: $0) }
        cursor.key("name")
        name = cursor.string()
        readPhase(&cursor)
        cursor.key("region")
        region = cursor.string()
        cursor.key("device")
        device = cursor.string()
        cursor.key("sequence")
        sequence = cursor.integer()
        cursor.key("fingers")
        fingers = cursor.integer()
        readMotion(&cursor)
        readPosition(&cursor)
        readDuration(&cursor)
        if cursor.skipKey("coalesced") { coalesced = cursor.integer() }
        cursor.key("time_us")
        time = cursor.integer()
        if cursor.skipKey("wall_ms") { _ = cursor.integer() }
        cursor.end()
    }

    private mutating func readPhase(_ cursor: inout LineCursor) {
        guard cursor.skipKey("phase") else { return }
        phase = cursor.index(of: cursor.string(), "phase", in: Phase.words).flatMap { Phase(rawValue: $0) }
        if phase == .cancel {
            cursor.key("reason")
            _ = cursor.index(of: cursor.string(), "reason", in: Self.reasons)
        }
    }

    /// Reads the keys before the position.
    private mutating func readMotion(_ cursor: inout LineCursor) {
        switch kind {
        case .tap, .doubleTap, .twoFingerTap: count = Self.integer("count", &cursor)
        case .repeat:
            count = Self.integer("n", &cursor)
            Self.duration("held_ms", &cursor)
        case .drag:
            Self.tenths(["dx", "dy", "vx", "vy"], &cursor)
            point("start", &cursor)
            if phase == .end {
                // May lie outside the panel, because it is a prediction.
                point("predicted", &cursor)
                _ = positions.popLast()
            }
            // Of a drag that zooms.
            if cursor.skipKey("scale"), cursor.tenThousandths() < 0 { cursor.fail("a negative scale") }
        case .swipe:
            cursor.key("direction")
            _ = cursor.index(of: cursor.string(), "direction", in: Self.directions)
            cursor.key("angle")
            let angle = cursor.tenths()
            if abs(angle) > 180 { cursor.fail("an angle of \(angle) degrees") }
            cursor.key("distance_mm")
            if cursor.tenths() < 0 { cursor.fail("a negative distance") }
            cursor.key("velocity_mm_s")
            let velocity = cursor.tenths()
            if velocity < 0 || velocity > 1300 { cursor.fail("a velocity of \(velocity) mm/s") }
            Self.duration("duration_ms", &cursor)
            point("start", &cursor)
        case .pinch:
            cursor.key("scale")
            if cursor.tenThousandths() < 0 { cursor.fail("a negative scale") }
        case .rotate: Self.tenths(["rotation"], &cursor)
        case .pattern: _ = Self.integer("steps", &cursor)
        case .press, .longPress, nil: break
        }
    }

    private mutating func readPosition(_ cursor: inout LineCursor) {
        cursor.key("x")
        let x = cursor.tenths()
        cursor.key("y")
        positions.append((x, cursor.tenths()))
        cursor.key("u")
        _ = cursor.tenThousandths()
        cursor.key("v")
        _ = cursor.tenThousandths()
    }

    /// Reads the keys after the position.
    private mutating func readDuration(_ cursor: inout LineCursor) {
        switch kind {
        case .press:
            cursor.key("inside")
            _ = cursor.bool()
            readHeld(&cursor)
        case .longPress: readHeld(&cursor)
        case .tap, .doubleTap, .twoFingerTap, .pattern: Self.duration("duration_ms", &cursor)
        case .repeat, .drag, .swipe, .pinch, .rotate, nil: break
        }
    }

    private mutating func readHeld(_ cursor: inout LineCursor) {
        switch phase {
        case .begin: break
        case .end: Self.duration("held_ms", &cursor)
        case .update, .cancel, nil:
            guard cursor.skipKey("held_ms") else { return }
            if cursor.integer() < 0 { cursor.fail("a negative time") }
        }
    }

    private mutating func point(_ key: StaticString, _ cursor: inout LineCursor) {
        cursor.key(key)
        cursor.expect("{\"x\":")
        let x = cursor.tenths()
        cursor.key("y")
        positions.append((x, cursor.tenths()))
        cursor.expect("}")
    }

    private static func integer(_ key: StaticString, _ cursor: inout LineCursor) -> Int64 {
        cursor.key(key)
        let value = cursor.integer()
        if value < 1 { cursor.fail("\(key) is \(value)") }
        return value
    }

    private static func duration(_ key: StaticString, _ cursor: inout LineCursor) {
        cursor.key(key)
        if cursor.integer() < 0 { cursor.fail("a negative time") }
    }

    private static func tenths(_ keys: [StaticString], _ cursor: inout LineCursor) {
        for key in keys {
            cursor.key(key)
            _ = cursor.tenths()
        }
    }
}
