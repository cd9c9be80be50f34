// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

/// What some attempts at one gesture tell: numbers, what the settings in use make of them, and which would do.
struct Finding: Hashable {
    /// One number that every attempt has.
    struct Measure: Hashable {
        var name: String
        var unit: String
        /// After the point.
        var decimals: Int
        var distribution: Distribution
    }

    /// One limit of the settings in use.
    struct Limit: Hashable {
        /// Of the configuration.
        var key: String
        var value: Double
        var unit: String
        /// Attempts that are beyond it.
        var refused: Int
    }

    /// One limit that would do.
    struct Proposal: Hashable {
        var key: String
        /// A whole multiple of what the configuration can say.
        var value: Double
        var unit: String
        /// What it comes from, for people.
        var reason: String
    }

    /// The table in `[defaults]`.
    var table: String
    var measures: [Measure]
    var limits: [Limit]
    var proposals: [Proposal]
    /// What is odd about the proposals.
    var remarks: [String] = []
    /// Attempts that come to nothing with the settings in use, all limits taken together.
    var refused: Int
    /// The same with the proposals.
    var refusedThen: Int

    /// What the configuration would say, with the reasons.
    var toml: String {
        var text = "[defaults]\n"
        for proposal in proposals { text += "# \(proposal.key): \(proposal.reason)\n" }
        for remark in remarks { text += "# \(remark)\n" }
        let values = proposals.map { "\($0.key) = \"\(shortest($0.value))\($0.unit)\"" }
        return text + "\(table) = { \(values.joined(separator: ", ")) }\n"
    }
}

extension Finding.Measure {
    /// - Returns: nil without numbers.
    init?(_ name: String, _ unit: String, decimals: Int, _ values: [Double]) {
        guard let distribution = Distribution(values) else { return nil }
        self.init(name: name, unit: unit, decimals: decimals, distribution: distribution)
    }
}

extension Finding.Proposal {
    /// What is left for a bad day beyond what was seen.
    private static let margin = 0.25

    /// A limit that nearly all attempts stay below: 95 % and a quarter on top. Never stricter than the built-in one,
    /// which comes of many more people than one session has; never more than the configuration takes.
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

    /// A limit that nearly all attempts stay above: 95 % and a quarter below; never stricter than the built-in one.
    /// - Parameter least: below this it would mean nothing.
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
