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
    }

    enum Phase: Int {
        case begin, update, end, cancel

        static let words: [StaticString] = ["begin", "update", "end", "cancel"]
    }

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
    var position = (x: 0.0, y: 0.0)
    var start: (x: Double, y: Double)?
    var coalesced: Int64 = 0
    var time: Int64 = 0

    /// Whether the time is stated for which a press or a long press was held.
    var hasHeldTime = false

    /// Reads the part after `"seq":N`.
    init(_ cursor: inout LineCursor) {
        cursor.rest { cursor, key in read(key, &cursor) }
    }

    private mutating func read(_ key: LineKey, _ cursor: inout LineCursor) {
        switch key {
        case "gesture":
            kindWord = cursor.string()
            kind = cursor.index(of: kindWord, "gesture", in: Kind.words).flatMap { Kind(rawValue: $0) }
        case "name": name = cursor.string()
        case "phase":
            phase = cursor.index(of: cursor.string(), "phase", in: Phase.words).flatMap { Phase(rawValue: $0) }
        case "action": if cursor.string().range.isEmpty { cursor.fail("an empty action") }
        case "region": region = cursor.string()
        case "device": device = cursor.string()
        case "sequence": sequence = cursor.integer()
        case "fingers": fingers = cursor.integer()
        case "count", "n": count = cursor.integer()
        case "start": start = cursor.point()
        // The predicted position may lie outside the panel.
        case "predicted": _ = cursor.point()
        case "x": position.x = cursor.tenths()
        case "y": position.y = cursor.tenths()
        case "velocity_mm_s": if cursor.tenths() > 1300 { cursor.fail("faster than any swipe") }
        case "held_ms":
            hasHeldTime = true
            _ = cursor.integer()
        case "coalesced": coalesced = cursor.integer()
        case "time_us": time = cursor.integer()
        default: break
        }
    }
}
