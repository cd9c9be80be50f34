// SPDX-License-Identifier: MIT

/// Where explanations go: filtered, as paragraphs with a summary behind them or as lines of JSON.
struct ExplanationOutput {
    let filter: ExplanationFilter
    let colors: Colors
    let isJSON: Bool
    let withLegend: Bool
    /// How a line's time is shown.
    let time: (Int64) -> String
    /// As they are now.
    var regions: [ExplainedRegion] = []
    /// How many touches have been shown, each with its owner.
    private(set) var touches = 0
    private var summary = ExplanationSummary()

    init(
        filter: ExplanationFilter, colors: Colors, isJSON: Bool, withLegend: Bool, time: @escaping (Int64) -> String
    ) {
        self.filter = filter
        self.colors = colors
        self.isJSON = isJSON
        self.withLegend = withLegend
        self.time = time
    }

    mutating func show(_ explanation: Explanation) {
        guard let explanation = filter.apply(explanation) else { return }
        if !explanation.isLate, explanation.role == .owner || explanation.role == .none { touches += 1 }
        summary.add(explanation)
        guard !isJSON else { return StandardOutput.write(explanation.json + "\n") }
        let text = ExplanationText(colors: colors, filter: filter, regions: regions)
        StandardOutput.write(text.text(explanation, time: time(explanation.time)))
    }

    /// The summary.
    func end() {
        let text = isJSON ? "" : summary.text(withLegend: withLegend, colors: colors)
        if !text.isEmpty { StandardOutput.write("\n" + text) }
    }
}
