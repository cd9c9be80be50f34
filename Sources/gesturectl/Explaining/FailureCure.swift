// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import GesturePipeline

/// The key of the configuration that a failure depends on.
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

    /// Where values that are less strict lie.
    enum Side: Hashable { case below, above }

    /// A key with a number, and what was measured.
    struct Limit: Hashable {
        var side: Side
        var value: Double
        var limit: Double
        var unit: String
    }

    var key: String
    var section: Section
    /// nil: no number of this key was missed.
    var limit: Limit?
    /// The value with which a key without a number no longer matters, as the configuration has it.
    var word: String?

    /// - Returns: nil when no key matters: the panel was unplugged, a client cancelled.
    init?(_ failure: GestureClient.Failure) {
        guard let code = GestureFailure.Code(word: failure.code) else { return nil }
        switch code {
        case .moved: self.init("slop", failure, .above)
        case .tooLong where failure.kind == .repeat: self.init("max_duration", failure, .above)
        case .tooLong, .tooSlow: self.init("max_time", failure, .above)
        case .tooShort: self.init(failure.kind == .swipe ? "min_distance" : "start", failure, .below)
        case .smallTurn: self.init("start", failure, .below)
        case .lowVelocity: self.init("min_velocity", failure, .below)
        case .wrongDirection where failure.message.contains("max_deviation"):
            self.init("max_deviation", failure, .above)
        case .wrongDirection: self.init("directions")
        // Fingers that are closer than that can never be measured.
        case .smallSpan where (failure.limit ?? 0) > PinchSettings.smallestSpan: self.init("min_span", failure, .below)
        case .wrongAxis: self.init("axis")
        case .liftedEarly: self.init("delay", failure, .below)
        case .tooManyContacts, .tooFewContacts:
            guard failure.message.contains("fingers is") else { return nil }
            self.init("fingers")
        case .landedApart: self.init("group", failure, .above)
        case .liftedApart: self.init("max_lift_spread", failure, .above)
        case .leftRegion: self.init("inside", word: "false")
        case .tooFarApart: self.init("distance", failure, .above)
        case .noFurtherTap: self.init("gap")
        case .wrongTaps: self.init("taps")
        case .bounce: self.init("min_gap", failure, .below)
        case .lateStep: self.init("max_gap")
        case .timeout: self.init("timeout")
        case .wrongStep: self.init("steps")
        case .lockedOut: self.init("lockout")
        case .notAfter: self.init("after")
        case .unless, .keptBack: self.init("unless")
        case .cancelled(.palm): self.init("max_touch", .filter)
        case .cancelled(.handover): self.init("capture", .region)
        case .cancelled(.movement): self.init("cancel_slop", word: "\"off\"")
        case .cancelled(.rest): self.init("rest_after", .region)
        case .cancelled(.claimed), .cancelled(.multiTouch): self.init("simultaneous", .arbitration)
        default: return nil
        }
    }

    private init(_ key: String, _ section: Section = .gesture, word: String? = nil) {
        (self.key, self.section, self.word) = (key, section, word)
    }

    private init(_ key: String, _ failure: GestureClient.Failure, _ side: Side) {
        self.init(key)
        guard let value = failure.value, let limit = failure.limit, let unit = failure.unit else { return }
        self.limit = Limit(side: side, value: value, limit: limit, unit: unit)
    }

    /// Another value of the key may have helped.
    var mayHelp: Bool { word != nil || limit?.isNear == true }

    /// A value with which the first thing that failed would not have: the measured one, or one step further, because
    /// it is rounded in the protocol. nil without a number, or when the touch was far from the limit.
    var measured: Remedy.Need? {
        guard let limit, limit.isNear else { return nil }
        return need(limit.steps(limit.value) + (limit.side == .above ? 1 : -1))
    }

    /// - Parameter steps: the value, in steps of the unit; does not matter for a key without a number.
    func need(_ steps: Int) -> Remedy.Need? {
        (word ?? limit?.text(steps)).map { Remedy.Need(key: key, value: $0) }
    }
}

extension FailureCure.Limit {
    /// Missed by less than half, or by less than as much again.
    var isNear: Bool {
        value != limit && (value > limit) == (side == .above) && value < 2 * limit && value > limit / 2
    }

    /// How exact a value is given, in `unit`.
    private var step: Double { unit == "ms" ? 1 : 0.1 }

    func steps(_ value: Double) -> Int {
        let steps = (value / step).rounded()
        return Int(min(max(steps, 0), 1e9))
    }

    /// As the configuration has it: `"4.2mm"`, `31.2`.
    func text(_ steps: Int) -> String {
        let number = shortest(Double(steps) * step)
        return unit == "deg" ? number : "\"\(number)\(unit)\""
    }
}

/// What would have helped a gesture that was not recognized.
enum Remedy: Hashable {
    /// A key of the gesture's table and its value, as the configuration has it.
    struct Need: Hashable {
        var key: String
        var value: String
    }

    /// The touch was replayed with these values, and the gesture was recognized: one key, or two where none alone does.
    case verified([Need])
    /// With a value at least that far what failed first would not have failed; more may be needed.
    case measured(Need, FailureCure.Side)
    /// Replays have shown that no value of one key or of two helps.
    case nothing
}
