// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// The key of the configuration that a failure depends on.
struct FailureCure: Hashable {
    /// The limit of a key with a number, and the measured value.
    struct Limit: Hashable {
        var side: Lenience
        var value: Double
        var limit: Double
        var unit: FailureUnit
    }

    var key: String
    var section: FailureKey.Section
    /// The missed limit; `nil` if the failure does not concern a number of this key.
    var limit: Limit?
    /// The value with which a key without a number has no effect, as written in the configuration.
    var word: String?

    /// - Returns: `nil` if the failure depends on no key (the panel was unplugged, a client cancelled), or if the line
    ///   comes from an older daemon that does not name the key.
    init?(_ failure: GestureClient.Failure) {
        guard let word = failure.key else { return nil }
        let setting = GestureType(failure.kind.rawValue)?.kind.row.key(word)
        (key, section) = (word, FailureKey(word: word).section)
        self.word = failure.unit == nil ? setting?.shape.lenientWord : nil
        guard let side = setting?.lenience, let value = failure.value, let limit = failure.limit,
            let unit = failure.unit.flatMap(FailureUnit.init(name:))
        else { return }
        self.limit = Limit(side: side, value: value, limit: limit, unit: unit)
    }

    /// Whether the gesture might have been recognized with another value of the key, or of `rotation`.
    var mayHelp: Bool { word != nil || limit?.isNear == true || limit?.unit == .score }

    /// A value with which this failure would not have occurred: one step beyond the measured one, because the protocol
    /// rounds it. `nil` if the key has no number, if the touch was far from the limit, or if another failure is likely
    /// then: a finger that trembles before it lifts is too slow with any `rest`.
    var measured: Remedy.Need? {
        guard let limit, limit.isNear, key != "rest" else { return nil }
        return need(limit.steps(limit.value) + (limit.side == .above ? 1 : -1))
    }

    /// - Parameter steps: the value, in steps of the unit; ignored for a key without a number.
    func need(_ steps: Int) -> Remedy.Need? {
        (word ?? limit?.text(steps)).map { value in
            Remedy.Need(key: key, value: value, isFar: word == nil && limit?.isFar(steps) == true)
        }
    }
}

extension SettingShape {
    /// The value with which a key without a number has no effect, as written in the configuration.
    fileprivate var lenientWord: String? {
        switch self {
        case .flag: "false"
        case .orOff: "\"off\""
        default: nil
        }
    }
}

extension FailureCure.Limit {
    /// Whether the value is between half of the limit and twice the limit. A score must be at least nine tenths of it,
    /// because with lower limits many movements would be strokes.
    var isNear: Bool {
        value != limit && (value > limit) == (side == .above) && value < 2 * limit && value > limit * leastPart(0.5)
    }

    /// The smallest part of the limit that a value may be.
    /// - Parameter part: the part for other units than scores.
    private func leastPart(_ part: Double) -> Double { unit == .score ? 0.9 : part }

    /// The resolution of proposed values, in `unit`.
    private var step: Double { 1 / unit.scale }

    /// Values beyond the measured one, in steps, the nearest first.
    var between: [Int] {
        [1.25, 1.5, 2, 3, 5, 10].map { steps(side == .above ? value * $0 : value / $0) }
    }

    func steps(_ value: Double) -> Int {
        let steps = (value / step).rounded()
        return Int(min(max(steps, 0), 1e9))
    }

    /// Whether a value is more than three times the limit, or less than a third of it. A gesture with that setting would
    /// be another one.
    func isFar(_ steps: Int) -> Bool {
        let value = Double(steps) * step
        return value > 3 * limit || value < limit * leastPart(1.0 / 3)
    }

    /// Returns the value as written in the configuration: `"4.2mm"`, `31.2`.
    func text(_ steps: Int) -> String {
        let number = text(Double(steps) * step)
        return [.degrees, .score].contains(unit) ? number : "\"\(number)\(unit.name)\""
    }

    /// Returns a number with the decimals of the unit: `4.2`, `0.80`.
    func text(_ number: Double) -> String {
        unit.decimals > 1 ? fixed(number, unit.decimals) : shortest(number)
    }
}

/// The settings with which a failed gesture would have been recognized.
enum Remedy: Hashable {
    /// A key of the gesture's table and its value, as written in the configuration.
    struct Need: Hashable {
        var key: String
        var value: String
        /// Whether the value is so far from the limit that hardly anyone would want it, or is a sample although the key has
        /// a limit, which is not known.
        var isFar = false
    }

    /// In a replay with these values the gesture was recognized: one key, or two if neither suffices alone.
    /// - Parameter cancelled: the reason if the gesture then begins, but is cancelled.
    case verified([Need], cancelled: String?)
    /// With at least this value the first failure would not have occurred; other changes may be needed too.
    case measured(Need, Lenience)
    /// In replays, no value of any single key helped, nor did the two keys whose limits were missed.
    case nothing
}
