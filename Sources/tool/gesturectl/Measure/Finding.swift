// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

/// The result of measuring one gesture: numbers, how many attempts the current settings reject, and better settings.
struct Finding: Hashable {
    /// One quantity that is measured in every attempt.
    struct Measure: Hashable {
        var name: String
        var unit: String
        /// Digits after the decimal point.
        var decimals: Int
        var distribution: Distribution

        /// - Returns: `nil` if there are no finite numbers.
        init?(_ name: String, _ unit: String, decimals: Int, _ values: [Double]) {
            guard let distribution = Distribution(values) else { return nil }
            (self.name, self.unit, self.decimals, self.distribution) = (name, unit, decimals, distribution)
        }
    }

    /// One limit of the current settings.
    struct Limit: Hashable {
        /// The key in the configuration.
        var key: String
        var value: Double
        var unit: String
        /// The number of attempts that it rejects.
        var refused: Int
    }

    /// A better value for one limit.
    struct Proposal: Hashable {
        var key: String
        /// A multiple of the step of the key.
        var value: Double
        var unit: String
        /// A readable explanation of how the value was derived.
        var reason: String
    }

    /// The table in `[defaults]`.
    var table: String
    var measures: [Measure]
    var limits: [Limit]
    var proposals: [Proposal]
    /// Contradictions between the proposals and other settings.
    var remarks: [String] = []
    /// The number of attempts that are rejected when all current limits apply.
    var refused: Int
    /// The number of attempts that the proposals would reject.
    var refusedThen: Int

    /// The proposals and their reasons, as written in the configuration.
    var toml: String { toml(width: nil) }

    /// - Parameter width: the number of columns in which the lines of keys fit if possible; `nil`: unlimited.
    func toml(width: Int?) -> String {
        var text = "[defaults]\n"
        for proposal in proposals { text += "# \(proposal.key): \(proposal.reason)\n" }
        for remark in remarks { text += "# \(remark)\n" }
        let values = proposals.map { "\($0.key) = \"\(shortest($0.value))\($0.unit)\"" }
        let line = "\(table) = { \(values.joined(separator: ", ")) }\n"
        // TOML has no line breaks within braces.
        let isTooLong = width.map { line.columns > $0 } ?? false
        return text + (isTooLong ? values.map { "\(table).\($0)\n" }.joined() : line)
    }

    func value(_ key: String) -> Double? { proposals.first { $0.key == key }?.value }
}

/// The direction of a limit that is derived from measured values.
enum LimitBound {
    case atMost(step: Double)
    /// The associated value is the smallest limit that makes sense.
    case atLeast(Double, step: Double)
}

/// A key of a gesture's settings, and the measure that is compared with it.
struct MeasuredKey<Settings> {
    var key: String
    /// The property that the key sets, in the unit of the measure.
    var path: WritableKeyPath<Settings, Double>
    var measure: Finding.Measure
    var bound: LimitBound
    /// The verb that describes the attempts in the output, such as `strayed`.
    var verb: String
    /// Whether a limit rejects a measured value.
    var refuses: (_ value: Double, _ limit: Double) -> Bool
    /// Whether a proposal is worth making.
    var isUseful: (_ proposal: Double) -> Bool = { _ in true }

    func limit(in settings: Settings) -> Finding.Limit {
        let limit = settings[keyPath: path]
        let refused = measure.distribution.values.count { refuses($0, limit) }
        return Finding.Limit(key: key, value: limit, unit: measure.unit, refused: refused)
    }

    /// - Returns: `nil` if the proposal is not useful.
    func proposal(builtIn settings: Settings) -> Finding.Proposal? {
        let proposal = Finding.Proposal(key, measure, bound, builtIn: settings[keyPath: path], verb)
        return isUseful(proposal.value) ? proposal : nil
    }
}

extension Finding {
    /// - Parameters:
    ///   - judge: returns a judge for the given settings.
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
    /// The relative distance of a proposal from the measured value.
    private static let margin = 0.25

    /// Derives a proposal: a quarter more than the value below which 95 % of the attempts stay, or a quarter
    /// less than the value above which they stay. It is never stricter than the built-in limit, which is based
    /// on more people than one session, and never exceeds the maximum that the configuration accepts.
    /// - Parameter verb: the verb that describes the attempts, such as `strayed`.
    init(_ key: String, _ measure: Finding.Measure, _ bound: LimitBound, builtIn: Double, _ verb: String) {
        let (values, unit) = (measure.distribution, measure.unit)
        let seen: Double
        let isBuiltInEnough: Bool
        var end = ""
        switch bound {
        case .atMost(let step):
            seen = values.quantile(0.95)
            let wanted = (seen * (1 + Self.margin) / step).rounded(.up) * step
            isBuiltInEnough = wanted < builtIn
            let most = unit == "ms" ? ValueLimits.longestTime.milliseconds : ValueLimits.largestLength
            if wanted > most { end = ", the configuration allows at most \(shortest(most)) \(unit)" }
            value = min(max(wanted, builtIn), most)
            reason = "95 % \(verb) at most "
        case .atLeast(let least, let step):
            seen = values.quantile(0.05)
            let wanted = max(least, (seen * (1 - Self.margin) / step).rounded(.down) * step)
            isBuiltInEnough = wanted > builtIn
            value = min(wanted, builtIn)
            reason = "95 % \(verb) at least "
        }
        (self.key, self.unit) = (key, unit)
        reason += "\(shortest(seen)) \(unit)"
        if isBuiltInEnough { reason += ", the built-in \(shortest(builtIn)) \(unit) is enough" }
        reason += end
    }
}

/// The distribution of measured numbers.
struct Distribution: Hashable {
    /// The numbers in ascending order; not empty.
    let values: [Double]

    /// - Returns: `nil` if no number is finite. Numbers that are not finite are ignored.
    init?(_ values: some Sequence<Double>) {
        self.values = values.filter(\.isFinite).sorted()
        guard !self.values.isEmpty else { return nil }
    }

    /// Returns the value below which a fraction of the numbers lies, interpolated linearly between its two
    /// neighbours, as R and NumPy do by default.
    /// - Parameter fraction: clamped to 0…1.
    func quantile(_ fraction: Double) -> Double {
        let place = min(max(fraction, 0), 1) * Double(values.count - 1)
        let below = Int(place.rounded(.down))
        let above = min(below + 1, values.count - 1)
        return values[below] + (values[above] - values[below]) * (place - Double(below))
    }

    /// Returns how many numbers lie in each of several equal parts between the smallest and the largest. A
    /// number on a border belongs to the part above, the largest number to the last part.
    func counts(parts: Int) -> [Int] {
        let parts = max(1, parts)
        let minimum = quantile(0)
        let width = quantile(1) - minimum
        guard width > 0 else { return [values.count] }
        var counts = [Int](repeating: 0, count: parts)
        for value in values {
            let part = Int((value - minimum) / width * Double(parts))
            counts[min(max(part, 0), parts - 1)] += 1
        }
        return counts
    }

    /// Returns the counts as a line of bars. The fullest part has the highest bar. Only empty parts have no bar.
    func bars(parts: Int) -> String {
        let counts = counts(parts: parts)
        let most = counts.max() ?? 1
        let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return String(
            counts.map { count in
                guard count > 0, most > 0 else { return " " }
                return heights[min(max((count * 8 + most - 1) / most - 1, 0), 7)]
            })
    }
}
