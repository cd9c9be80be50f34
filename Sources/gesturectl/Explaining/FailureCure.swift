// SPDX-License-Identifier: MIT
import GestureClient

/// The key of the configuration that a failure depends on, and the value with which it would not have happened.
struct FailureCure: Hashable {
    /// The table of the key.
    enum Section: String, Hashable {
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
    var section: Section
    /// The value with which this touch would have been recognized, as in the configuration; nil where the key has no
    /// number, or the touch was far from its limit.
    var needed: String?

    private enum Side { case less, more }

    /// - Returns: nil when no key matters: the panel was unplugged, a client cancelled.
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

    private init(_ key: String, _ section: Section = .gesture) {
        self.key = key
        self.section = section
    }

    private init(_ key: String, _ failure: GestureClient.Failure, _ side: Side) {
        self.init(key)
        guard let value = failure.value, let limit = failure.limit, let unit = failure.unit, value != limit,
            (value > limit) == (side == .more), value < 2 * limit, value > limit / 2
        else { return }
        // One step further, because the measured value is rounded in the protocol.
        let step = unit == "ms" ? 1 : 0.1
        needed = Self.text(side == .more ? value + step : value - step, unit)
    }

    /// As the configuration has it: `"4.2mm"`, `31.2`.
    private static func text(_ value: Double, _ unit: String) -> String {
        unit == "deg" ? shortest(value) : "\"\(shortest(value))\(unit)\""
    }
}
