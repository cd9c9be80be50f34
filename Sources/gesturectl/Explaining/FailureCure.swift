// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine

/// The key of the configuration that a failure depends on.
struct FailureCure: Hashable {
    /// The table of the key.
    enum Section: String, Hashable {
        /// In the gesture's table of the region; also in `[defaults]`.
        case gesture
        case region
        case filter
        case arbitration
    }

    /// The side on which less strict values lie.
    enum Side: Hashable { case below, above }

    /// The limit of a key with a number, and the measured value.
    struct Limit: Hashable {
        var side: Side
        var value: Double
        var limit: Double
        var unit: String
    }

    var key: String
    var section: Section
    /// `nil`: no number of this key was missed.
    var limit: Limit?
    /// The value with which a key without a number has no effect, as written in the configuration.
    var word: String?

    /// - Returns: `nil` if no key matters (the panel was unplugged, a client cancelled), or if the line of an
    ///   older daemon does not name it.
    init?(_ failure: GestureClient.Failure) {
        guard let word = failure.key else { return nil }
        let known = GestureFailure.Key(rawValue: word)
        (key, section, self.word) = (word, known?.section ?? .gesture, known?.word)
        guard let side = known?.side, let value = failure.value, let limit = failure.limit, let unit = failure.unit
        else { return }
        self.limit = Limit(side: side, value: value, limit: limit, unit: unit)
    }

    /// Whether another value of the key may have helped.
    var mayHelp: Bool { word != nil || limit?.isNear == true }

    /// A value with which the first failure would not have occurred: the measured one, or one step further,
    /// because the protocol rounds it. `nil` without a number, or if the touch was far from the limit.
    var measured: Remedy.Need? {
        guard let limit, limit.isNear else { return nil }
        return need(limit.steps(limit.value) + (limit.side == .above ? 1 : -1))
    }

    /// - Parameter steps: the value, in steps of the unit; ignored for a key without a number.
    func need(_ steps: Int) -> Remedy.Need? {
        (word ?? limit?.text(steps)).map { Remedy.Need(key: key, value: $0) }
    }
}

extension GestureFailure.Key {
    fileprivate var section: FailureCure.Section {
        switch self {
        case .capture, .restAfter: .region
        case .maxTouch: .filter
        case .simultaneous: .arbitration
        case .slop, .delay, .start, .axis, .directions, .fingers, .group, .inside, .distance, .gap, .taps, .after,
            .unless, .steps, .timeout, .lockout, .maxTime, .minTime, .maxDuration, .minDistance, .minVelocity,
            .maxDeviation,
            .minSpan, .maxLiftSpread, .minGap, .maxGap, .cancelSlop:
            .gesture
        }
    }

    /// `nil`: the numbers of the failure do not belong to this key, or no other value of it helps.
    fileprivate var side: FailureCure.Side? {
        switch self {
        case .slop, .maxTime, .maxDuration, .maxDeviation, .group, .maxLiftSpread, .distance: .above
        case .delay, .start, .minDistance, .minVelocity, .minSpan, .minGap, .minTime: .below
        case .axis, .directions, .fingers, .inside, .gap, .taps, .after, .unless, .steps, .timeout, .lockout, .capture,
            .simultaneous, .maxGap, .maxTouch, .cancelSlop, .restAfter:
            nil
        }
    }

    /// The value with which a key without a number has no effect.
    fileprivate var word: String? {
        switch self {
        case .inside: "false"
        case .cancelSlop: "\"off\""
        default: nil
        }
    }
}

extension FailureCure.Limit {
    /// Whether the value is between half of the limit and twice the limit.
    var isNear: Bool {
        value != limit && (value > limit) == (side == .above) && value < 2 * limit && value > limit / 2
    }

    /// The resolution of proposed values, in `unit`.
    private var step: Double { unit == "ms" ? 1 : 0.1 }

    func steps(_ value: Double) -> Int {
        let steps = (value / step).rounded()
        return Int(min(max(steps, 0), 1e9))
    }

    /// Returns the value as written in the configuration: `"4.2mm"`, `31.2`.
    func text(_ steps: Int) -> String {
        let number = shortest(Double(steps) * step)
        return unit == "deg" ? number : "\"\(number)\(unit)\""
    }
}

/// The settings with which a failed gesture would have been recognized.
enum Remedy: Hashable {
    /// A key of the gesture's table and its value, as written in the configuration.
    struct Need: Hashable {
        var key: String
        var value: String
    }

    /// In a replay with these values the gesture was recognized: one key, or two if none alone suffices.
    case verified([Need])
    /// With at least this value the first failure would not have occurred; other changes may be needed too.
    case measured(Need, FailureCure.Side)
    /// Replays have shown that no value of one key or of two keys helps.
    case nothing
}
