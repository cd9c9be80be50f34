// SPDX-License-Identifier: MIT
import GestureClient

/// A touch as a listener hears it: the lines of one sequence, and of the sequences in other regions that got the same
/// contact.
struct HeardTouch {
    /// A sequence in a region. Sequences are numbered on each panel.
    struct Part: Hashable {
        var device: String
        var sequence: Int
        var region: String
    }

    /// A gesture that was not recognized.
    struct Miss {
        var region: String
        var gesture: String
        var failure: GestureClient.Failure
        /// The value of the whole touch, which may be farther beyond the limit. Failures are sent at once, before that is known.
        var value: Double?
    }

    /// A hand or noise makes a touch. This is known with the touch's place, which not every line tells.
    enum Maker { case unknown, hand, ghost }

    /// The press of a region, from its landing to its lift.
    private struct Press {
        var start: GestureClient.Point?
        var end: GestureClient.Point?
        var milliseconds: Int?
    }

    private(set) var parts: Set<Part>
    let device: String
    /// The scene in which it began.
    let scene: String
    var maker = Maker.unknown
    /// The times of the first and the last line in microseconds.
    let first: Int64
    private(set) var last: Int64
    private(set) var misses: [Miss] = []
    /// The regions in which something was recognized, other than that a finger is there.
    private(set) var recognized: Set<String> = []
    private var presses: [String: Press] = [:]
    /// The number of continuous gestures that have begun and not ended.
    private(set) var open = 0
    var position: GestureClient.Point?
    /// The gesture whose updates tell the motion of the touch's finger, and that motion.
    var motion: (region: String, gesture: String, DragMotion)?

    init(_ part: Part, at time: Int64, scene: String) {
        (parts, device, first, last, self.scene) = ([part], part.device, time, time, scene)
    }

    /// Whether a line of this time on the same panel, in another region, is about the same contact: regions are told of a
    /// landing and of a lift in the same frame.
    func isOf(_ part: Part, at time: Int64) -> Bool {
        device == part.device && (first == time || last == time) && !parts.contains { $0.region == part.region }
    }

    mutating func add(_ part: Part) { parts.insert(part) }

    mutating func take(_ gesture: GestureClient.Gesture, at time: Int64) {
        last = max(last, time)
        switch gesture.phase {
        case .begin: open += 1
        case .end, .cancel:
            open = max(0, open - 1)
            if gesture.kind == .press, gesture.phase == .end {
                presses[gesture.region]?.end = gesture.position
                presses[gesture.region]?.milliseconds = gesture.heldMilliseconds
            }
        case .update, nil: break
        }
        guard gesture.phase == nil || gesture.phase == .begin else { return }
        if gesture.kind == .press {
            presses[gesture.region] = Press(start: gesture.position)
        } else {
            recognized.insert(gesture.region)
        }
        if position == nil { position = gesture.start ?? gesture.position }
    }

    mutating func take(_ failure: GestureClient.Failure, at time: Int64) {
        last = max(last, time)
        misses.append(Miss(region: failure.region, gesture: failure.name, failure: failure, value: failure.value))
    }

    /// Replaces the values of failures that were sent when the limit was reached by those of the whole touch, which the end
    /// of a press tells. Without a press they are not known.
    /// - Parameter distance: returns the distance of two positions in millimetres.
    mutating func complete(_ distance: (GestureClient.Point, GestureClient.Point) -> Double?) {
        for index in misses.indices {
            let miss = misses[index]
            let press = presses[miss.region] ?? presses.values.first
            switch miss.failure.code {
            case "too_long": misses[index].value = press?.milliseconds.map { Double($0) }
            case "moved":
                guard let start = press?.start, let end = press?.end, let way = distance(start, end) else {
                    misses[index].value = nil
                    continue
                }
                misses[index].value = max(way, miss.failure.value ?? 0)
            default: break
            }
        }
    }

    // MARK: what became of it

    /// Codes that say nothing about what a hand did: something else took the contact, or the machine did.
    private static let foreign: Set<String> = [
        "outscored", "long_press", "not_after", "unless", "kept_back", "shadowed", "locked_out", "claimed",
        "multi_touch",
        "palm", "device_removed", "sync_lost", "reload", "disabled", "client", "handover", "suspend", "rest",
        "wrong_taps",
        "bounce",
    ]
    /// Kinds that fail at every touch that is not meant for them.
    private static let wide: Set<GestureClient.Gesture.Kind> = [.pattern, .chain, .stroke]

    /// The gesture for which the touch was meant if it did nothing: the one whose limit it missed least.
    var meant: Miss? {
        guard recognized.isEmpty else { return nil }
        let own = misses.filter {
            !Self.foreign.contains($0.failure.code) && !Self.wide.contains($0.failure.kind)
        }
        return own.enumerated().min { a, b in
            (Self.distance(a.element), a.offset) < (Self.distance(b.element), b.offset)
        }?
        .element
    }

    /// The distance of a touch from a gesture, as a factor. A failure without numbers is farther than one within three times
    /// the limit.
    private static func distance(_ miss: Miss) -> Double {
        guard let value = miss.value ?? miss.failure.value, let limit = miss.failure.limit, value > 0, limit > 0 else {
            return 3
        }
        return value > limit ? value / limit : limit / value
    }
}

extension HeardTouch.Miss {
    /// Units of which a limit is no measure that somebody tunes.
    private static let counted: Set<String> = ["contacts", "taps", "steps", "score"]

    /// The limit that was missed, and by how many steps; `nil` if no number of the configuration was.
    var step: (key: QuarterTally.LimitKey, step: Int)? {
        guard let key = failure.key, key != "directions", let unit = failure.unit, !Self.counted.contains(unit),
            let first = failure.value, let limit = failure.limit
        else { return nil }
        guard let step = value.map({ LimitStep.step(of: $0, limit: limit) }) ?? LimitStep.unknown else { return nil }
        let hundredths = Int(max(0, min(limit * 100, 1e12)).rounded())
        return (
            .init(
                region: region, gesture: gesture, code: failure.code, key: key, unit: unit, limit: hundredths,
                isMost: first >= limit), step
        )
    }
}
