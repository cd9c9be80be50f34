// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

/// The result of measuring one gesture: numbers, how many attempts the settings in use refuse, and better settings.
struct Finding: Hashable {
    /// One number that every attempt has.
    struct Measure: Hashable {
        var name: String
        var unit: String
        /// Digits after the point.
        var decimals: Int
        var distribution: Distribution

        /// - Returns: nil without numbers.
        init?(_ name: String, _ unit: String, decimals: Int, _ values: [Double]) {
            guard let distribution = Distribution(values) else { return nil }
            (self.name, self.unit, self.decimals, self.distribution) = (name, unit, decimals, distribution)
        }
    }

    /// One limit of the settings in use.
    struct Limit: Hashable {
        /// Of the configuration.
        var key: String
        var value: Double
        var unit: String
        /// How many attempts it refuses.
        var refused: Int
    }

    /// One better limit.
    struct Proposal: Hashable {
        var key: String
        /// A multiple of the step of the key.
        var value: Double
        var unit: String
        /// Where it comes from, for people.
        var reason: String
    }

    /// The table in `[defaults]`.
    var table: String
    var measures: [Measure]
    var limits: [Limit]
    var proposals: [Proposal]
    /// What is odd about the proposals.
    var remarks: [String] = []
    /// How many attempts the settings in use refuse, all limits together.
    var refused: Int
    /// The same with the proposals.
    var refusedThen: Int

    /// The proposals and their reasons, as the configuration has them.
    var toml: String {
        var text = "[defaults]\n"
        for proposal in proposals { text += "# \(proposal.key): \(proposal.reason)\n" }
        for remark in remarks { text += "# \(remark)\n" }
        let values = proposals.map { "\($0.key) = \"\(shortest($0.value))\($0.unit)\"" }
        return text + "\(table) = { \(values.joined(separator: ", ")) }\n"
    }

    /// The proposal for a key.
    func value(_ key: String) -> Double? { proposals.first { $0.key == key }?.value }
}

/// A key of a gesture's settings, and the measure that is compared with it.
struct MeasuredKey<Settings> {
    enum Bound {
        case atMost(step: Double)
        case atLeast(Double, step: Double)
    }

    var key: String
    var unit: String
    /// In `unit`.
    var path: WritableKeyPath<Settings, Double>
    var measure: Finding.Measure
    var bound: Bound
    /// What the attempts did, for people: `strayed`.
    var verb: String
    /// Whether a limit refuses a measured value.
    var refuses: (_ value: Double, _ limit: Double) -> Bool
    /// Whether a proposal is worth making.
    var isUseful: (_ proposal: Double) -> Bool = { _ in true }

    func limit(in settings: Settings) -> Finding.Limit {
        let limit = settings[keyPath: path]
        let refused = measure.distribution.values.count { refuses($0, limit) }
        return Finding.Limit(key: key, value: limit, unit: unit, refused: refused)
    }

    /// - Returns: nil when it is not worth making.
    func proposal(builtIn settings: Settings) -> Finding.Proposal? {
        let builtIn = settings[keyPath: path]
        let values = measure.distribution
        let proposal =
            switch bound {
            case .atMost(let step):
                Finding.Proposal.atMost(key, values, builtIn: builtIn, step: step, unit: unit, verb)
            case .atLeast(let least, let step):
                Finding.Proposal.atLeast(key, values, builtIn: builtIn, least: least, step: step, unit: unit, verb)
            }
        return isUseful(proposal.value) ? proposal : nil
    }
}

extension Finding {
    /// - Parameters:
    ///   - judge: makes a judge of settings.
    init<Settings>(
        table: String, measures: [Measure], keys: [MeasuredKey<Settings>], inUse: Settings, builtIn: Settings,
        attempts: [[ContactTrack]], judge: (Settings) -> GestureJudge
    ) {
        var then = inUse
        var proposals: [Proposal] = []
        for key in keys {
            guard let proposal = key.proposal(builtIn: builtIn) else { continue }
            proposals.append(proposal)
            then[keyPath: key.path] = proposal.value
        }
        self.init(
            table: table, measures: measures, limits: keys.map { $0.limit(in: inUse) }, proposals: proposals,
            refused: judge(inUse).refused(attempts), refusedThen: judge(then).refused(attempts))
    }
}

extension Finding.Proposal {
    /// The distance of a proposal from what was measured, as a share.
    private static let margin = 0.25

    /// A quarter more than what 95 % of the attempts stay below. Never stricter than the built-in limit, which comes
    /// from more people than one session has; never more than the configuration takes.
    /// - Parameter verb: what they did: `strayed`.
    static func atMost(
        _ key: String, _ measure: Distribution, builtIn: Double, step: Double, unit: String, _ verb: String
    ) -> Self {
        let seen = measure.quantile(0.95)
        let wanted = (seen * (1 + margin) / step).rounded(.up) * step
        var reason = "95 % \(verb) at most \(shortest(seen)) \(unit)"
        if wanted < builtIn { reason += ", the built-in \(shortest(builtIn)) \(unit) is enough" }
        let most = unit == "ms" ? ValueLimits.longestTime.milliseconds : ValueLimits.largestLength
        if wanted > most { reason += ", the configuration takes at most \(shortest(most)) \(unit)" }
        return Self(key: key, value: min(max(wanted, builtIn), most), unit: unit, reason: reason)
    }

    /// A quarter less than what 95 % of the attempts stay above; never stricter than the built-in limit.
    /// - Parameter least: the smallest limit that makes sense.
    static func atLeast(
        _ key: String, _ measure: Distribution, builtIn: Double, least: Double, step: Double, unit: String,
        _ verb: String
    ) -> Self {
        let seen = measure.quantile(0.05)
        let wanted = max(least, (seen * (1 - margin) / step).rounded(.down) * step)
        var reason = "95 % \(verb) at least \(shortest(seen)) \(unit)"
        if wanted > builtIn { reason += ", the built-in \(shortest(builtIn)) \(unit) is enough" }
        return Self(key: key, value: min(wanted, builtIn), unit: unit, reason: reason)
    }
}
