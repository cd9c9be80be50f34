// SPDX-License-Identifier: MIT

/// A parsed `gesture` line.
struct GestureLine {
    enum Kind: Int, CaseIterable {
        case press, tap, doubleTap, twoFingerTap, longPress, `repeat`, drag, swipe, pinch, rotate, dial, chain, stroke,
            pattern

        static let words: [StaticString] = [
            "press", "tap", "double_tap", "two_finger_tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate",
            "dial", "chain", "stroke", "pattern",
        ]

        var isContinuous: Bool {
            switch self {
            case .press, .longPress, .drag, .pinch, .rotate, .dial: true
            case .tap, .doubleTap, .twoFingerTap, .repeat, .swipe, .chain, .stroke, .pattern: false
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
    /// The `count` of a tap, or the `n` of a repeat.
    var count: Int64 = 0
    var positions: [(x: Double, y: Double)] = []
    var coalesced: Int64 = 0
    var time: Int64 = 0

    /// Reads the part after `"seq":N`.
    init(_ cursor: inout LineCursor) {
        kindWord = cursor.string("gesture")
        kind = cursor.index(of: kindWord, "gesture", in: Kind.words).flatMap { Kind(rawValue: $0) }
        name = cursor.string("name")
        if cursor.skipKey("action"), cursor.string().range.isEmpty { cursor.fail("an empty action") }
        readPhase(&cursor)
        region = cursor.string("region")
        if cursor.skipKey("leased"), !cursor.bool() { cursor.fail("leased is false") }
        device = cursor.string("device")
        sequence = cursor.integer("sequence")
        fingers = cursor.integer("fingers")
        readMotion(&cursor)
        readPosition(&cursor)
        readDuration(&cursor)
        if cursor.skipKey("coalesced") { coalesced = cursor.integer() }
        time = cursor.integer("time_us")
        if cursor.skipKey("wall_ms") { _ = cursor.integer() }
        cursor.end()
    }

    private mutating func readPhase(_ cursor: inout LineCursor) {
        guard cursor.skipKey("phase") else { return }
        phase = cursor.index(of: cursor.string(), "phase", in: Phase.words).flatMap { Phase(rawValue: $0) }
        if phase == .cancel {
            cursor.word("reason", in: Self.reasons)
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
                // The predicted position may lie outside the panel, so it is not checked.
                point("predicted", &cursor)
                _ = positions.popLast()
            }
            // A drag that zooms also has a scale.
            if cursor.skipKey("scale"), cursor.tenThousandths() < 0 { cursor.fail("a negative scale") }
        case .swipe:
            cursor.word("direction", in: Self.directions)
            let angle = cursor.tenths("angle")
            if abs(angle) > 180 { cursor.fail("an angle of \(angle) degrees") }
            if cursor.tenths("distance_mm") < 0 { cursor.fail("a negative distance") }
            let velocity = cursor.tenths("velocity_mm_s")
            if velocity < 0 || velocity > 1300 { cursor.fail("a velocity of \(velocity) mm/s") }
            Self.duration("duration_ms", &cursor)
            point("start", &cursor)
        case .pinch:
            if cursor.tenThousandths("scale") < 0 { cursor.fail("a negative scale") }
        case .rotate: Self.tenths(["rotation"], &cursor)
        case .dial:
            cursor.tenths("rotation")
            if cursor.skipKey("steps") { _ = cursor.integer() }
            cursor.tenths("velocity_deg_s")
        case .chain:
            Self.duration("duration_ms", &cursor)
            point("start", &cursor)
        case .stroke:
            let score = cursor.tenThousandths("score")
            if score < 0 || score > 1 { cursor.fail("a score of \(score)") }
            Self.duration("duration_ms", &cursor)
            point("start", &cursor)
        case .pattern: _ = Self.integer("steps", &cursor)
        case .press, .longPress, nil: break
        }
    }

    private mutating func readPosition(_ cursor: inout LineCursor) {
        let x = cursor.tenths("x")
        positions.append((x, cursor.tenths("y")))
        cursor.tenThousandths("u")
        cursor.tenThousandths("v")
    }

    /// Reads the keys after the position.
    private mutating func readDuration(_ cursor: inout LineCursor) {
        switch kind {
        case .press:
            cursor.bool("inside")
            readHeld(&cursor)
        case .longPress: readHeld(&cursor)
        case .tap, .doubleTap, .twoFingerTap, .pattern: Self.duration("duration_ms", &cursor)
        case .repeat, .drag, .swipe, .pinch, .rotate, .dial, .chain, .stroke, nil: break
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
        positions.append((x, cursor.tenths("y")))
        cursor.expect("}")
    }

    private static func integer(_ key: StaticString, _ cursor: inout LineCursor) -> Int64 {
        let value = cursor.integer(key)
        if value < 1 { cursor.fail("\(key) is \(value)") }
        return value
    }

    private static func duration(_ key: StaticString, _ cursor: inout LineCursor) {
        if cursor.integer(key) < 0 { cursor.fail("a negative time") }
    }

    private static func tenths(_ keys: [StaticString], _ cursor: inout LineCursor) {
        for key in keys {
            cursor.tenths(key)
        }
    }
}
