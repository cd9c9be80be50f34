// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol

/// What one sequence of touches in one region led to: one paragraph of `explain`.
struct Explanation: Hashable {
    /// The path of one contact, in output pixels.
    struct Contact: Hashable {
        /// nil: a filter hides it.
        var id: Int?
        var from: GestureClient.Point
        var to: GestureClient.Point
        /// In microseconds.
        var landed: Int64
        var lifted: Int64?
    }

    /// A recognized gesture.
    struct Recognized: Hashable {
        var kind: String
        var name: String
        /// The reason, if it was cancelled.
        var cancelled: String?
        /// How many repetitions.
        var times: Int64 = 1
        /// It has ended, or has no end.
        var isOver: Bool
    }

    /// How a region is related to the contacts.
    enum Role: String, Hashable {
        /// They landed in it.
        case owner
        /// They landed in a region that lies in it.
        case ancestor
        /// It sees them without owning them; or their positions are unknown.
        case onlooker
        /// They landed in no region.
        case none
        /// A filter hides them: no region sees them.
        case ignored
    }

    var device: String
    /// nil: the touch was in no region.
    var region: String?
    /// The key of `[filter]` that hides the contacts.
    var filter: String?
    /// nil: there was no event of the region.
    var sequence: Int64?
    var role: Role
    /// Of an ancestor: the region where the contacts landed.
    var owner: String?
    var contacts: [Contact] = []
    var recognized: [Recognized] = []
    var failed: [GestureClient.Failure] = []
    /// The sequence has been explained before; this came later.
    var isLate = false
    /// When it began, in microseconds.
    var time: Int64
    /// When something last happened.
    var lastTime: Int64
}

extension Explanation {
    /// One line of `explain --json`.
    var line: [UInt8] {
        JSONWriter.bytes { json in
            json.line { json in
                json.member("device", device)
                json.key("region")
                if let region { json.value(region) } else { json.null() }
                json.key("sequence")
                if let sequence { json.value(sequence) } else { json.null() }
                json.member("role", role.rawValue)
                if let owner { json.member("owner", owner) }
                if let filter { json.member("filter", filter) }
                if isLate { json.member("late", true) }
                json.member("time_us", time)
                json.array("contacts") { json in for contact in contacts { contact.write(into: &json) } }
                json.array("recognized") { json in for gesture in recognized { gesture.write(into: &json) } }
                json.array("failed") { json in for failure in failed { failure.write(into: &json) } }
            }
        }
    }
}

extension Explanation.Contact {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            if let id { json.member("id", id) }
            json.key("from")
            json.append(json: "[\(from.x),\(from.y)]")
            json.key("to")
            json.append(json: "[\(to.x),\(to.y)]")
            if let lifted { json.member("duration_ms", (lifted - landed) / 1000) }
        }
    }
}

extension Explanation.Recognized {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("gesture", kind)
            json.member("name", name)
            if times > 1 { json.member("times", times) }
            if let cancelled { json.member("cancelled", cancelled) }
        }
    }
}

extension GestureClient.Failure {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("gesture", kind.rawValue)
            json.member("name", name)
            json.member("code", code)
            if let value { json.member("value", value) }
            if let limit { json.member("limit", limit) }
            if let unit { json.member("unit", unit) }
            json.member("message", message)
            guard let cure = FailureCure(self) else { return }
            json.member("key", cure.key)
            json.member("table", cure.section.rawValue)
            guard let needed = cure.needed else { return }
            // As in the configuration: a text in quotes, or a number.
            json.key("needed")
            json.append(json: needed)
        }
    }
}

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
        case "too_long" where failure.kind == .repeat: self.init("max_duration", failure, .more)
        case "too_long", "too_slow": self.init("max_time", failure, .more)
        case "too_short": self.init(failure.kind == .swipe ? "min_distance" : "start", failure, .less)
        case "small_turn": self.init("start", failure, .less)
        case "low_velocity": self.init("min_velocity", failure, .less)
        case "wrong_direction" where failure.message.contains("max_deviation"):
            self.init("max_deviation", failure, .more)
        case "wrong_direction": self.init("directions")
        // Fingers that are closer than 8 mm can never be measured.
        case "small_span" where (failure.limit ?? 0) > 8: self.init("min_span", failure, .less)
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
