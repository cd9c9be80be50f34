// SPDX-License-Identifier: MIT
import GestureClient

/// Which key of the configuration a failure is about, and what it would have needed.
struct FailureCure: Hashable {
    /// Where the key stands.
    enum Place: String, Hashable {
        /// In the gesture's table of the region; also in `[defaults]`.
        case gesture
        /// In the `[[region]]` itself.
        case region
        /// In `[filter]`.
        case filter
        /// In `[arbitration]`.
        case arbitration
    }

    var key: String
    var place: Place
    /// The value with which this touch would have passed, as the configuration has it; nil where no
    /// number says it, or the touch was far from it: what was no swipe at all needs no shorter one.
    var needed: String?

    private enum Side { case less, more }

    /// - Returns: nil for what no key changes: the panel was unplugged, a client cancelled.
    init?(_ failure: GestureClient.Failure) {
        switch failure.code {
        case "moved": self.init("slop", failure, .more)
        case "too_long", "too_slow": self.init("max_time", failure, .more)
        case "too_short": self.init(failure.kind == .swipe ? "min_distance" : "start", failure, .less)
        case "small_turn": self.init("start", failure, .less)
        case "low_velocity": self.init("min_velocity", failure, .less)
        case "wrong_direction" where failure.message.contains("max_deviation"):
            self.init("max_deviation", failure, .more)
        case "wrong_direction": self.init("directions")
        case "wrong_axis": self.init("axis")
        case "lifted_early": self.init("delay", failure, .less)
        case "too_many_contacts", "too_few_contacts":
            guard failure.message.contains("fingers is") else { return nil }
            self.init("fingers")
        case "landed_apart": self.init("group", failure, .more)
        case "too_far_apart": self.init("distance", failure, .more)
        case "no_further_tap": self.init("gap")
        case "bounce": self.init("min_gap", failure, .less)
        case "late_step": self.init("max_gap")
        case "timeout": self.init("timeout")
        case "wrong_step": self.init("steps")
        case "locked_out": self.init("lockout")
        case "not_after": self.init("after")
        case "unless", "kept_back": self.init("unless")
        case "palm": self.init("max_touch", .filter)
        case "handover": self.init("capture", .region)
        case "claimed", "multi_touch": self.init("simultaneous", .arbitration)
        default: return nil
        }
    }

    private init(_ key: String, _ place: Place = .gesture) {
        self.key = key
        self.place = place
    }

    private init(_ key: String, _ failure: GestureClient.Failure, _ side: Side) {
        self.init(key)
        guard let value = failure.value, let limit = failure.limit, let unit = failure.unit, value != limit,
            (value > limit) == (side == .more), value < 2 * limit, value > limit / 2
        else { return }
        // One step further: what was measured is rounded on the wire.
        let step = unit == "ms" ? 1 : 0.1
        needed = Self.text(side == .more ? value + step : value - step, unit)
    }

    /// As the configuration has it: `"4.2mm"`, `31.2`.
    private static func text(_ value: Double, _ unit: String) -> String {
        unit == "deg" ? shortest(value) : "\"\(shortest(value))\(unit)\""
    }
}
