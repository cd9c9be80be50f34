// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol

/// Filters and prints explanations: as paragraphs and a summary, or as lines of JSON.
struct ExplanationOutput {
    let filter: ExplanationFilter
    let colors: Colors
    let isJSON: Bool
    let withLegend: Bool
    /// How a line's time is shown.
    let time: (Int64) -> String
    /// The current ones.
    var regions: [ExplainedRegion] = []
    /// How many touches have been shown.
    private(set) var touches = 0
    private(set) var summary = ExplanationSummary()

    mutating func show(_ explanation: Explanation) {
        guard let explanation = filter.apply(explanation) else { return }
        if !explanation.isLate, explanation.role == .owner || explanation.role == .none { touches += 1 }
        summary.add(explanation)
        guard !isJSON else { return StandardOutput.write(explanation.line) }
        let text = ExplanationText(colors: colors, filter: filter, regions: regions)
        StandardOutput.write(text.text(explanation, time: time(explanation.time)))
    }

    /// The summary.
    func end() {
        let text = isJSON ? "" : summary.text(withLegend: withLegend, colors: colors)
        if !text.isEmpty { StandardOutput.write("\n" + text) }
    }
}

/// The regions, kinds and names that the user asked for.
struct ExplanationFilter {
    private let regions: [Glob]
    private let gestures: [Glob]
    private let names: [Glob]

    init(_ filter: EventFilter) {
        regions = filter.region.map { Glob($0) }
        gestures = filter.gesture.map { Glob($0) }
        names = filter.name.map { Glob($0) }
    }

    /// Whether a region is asked for.
    func matches(region: String) -> Bool { Self.any(regions, region) }

    /// - Returns: what was asked for; nil when that is nothing. A touch that another region owns is kept: it answers
    ///   why nothing was recognized.
    func apply(_ explanation: Explanation) -> Explanation? {
        guard let region = explanation.region else { return explanation }
        var rest = explanation
        let isAskedFor = matches(region: region)
        rest.recognized.removeAll { !isAskedFor || !wants($0.kind, $0.name) }
        rest.failed.removeAll { !isAskedFor || !wants($0.kind.rawValue, $0.name) }
        let isTold = !rest.recognized.isEmpty || !rest.failed.isEmpty
        return isTold || (explanation.role == .owner && !explanation.isLate) ? rest : nil
    }

    private func wants(_ kind: String, _ name: String) -> Bool { Self.any(gestures, kind) && Self.any(names, name) }

    private static func any(_ globs: [Glob], _ text: String) -> Bool {
        globs.isEmpty || globs.contains { $0.matches(text) }
    }
}
