// SPDX-License-Identifier: MIT

/// Columns that line up.
struct Table {
    var legend: [String]
    var rows: [[String]] = []

    init(_ legend: String...) {
        self.legend = legend
    }

    /// Lines with their ends; an empty table has none, not even the legend.
    func text(withLegend: Bool) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = withLegend ? [legend] + rows : rows
        let columns = lines.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in lines.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return lines.map { Self.line($0, widths) + "\n" }.joined()
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (cell, width) in zip(cells, widths) { text += pad(cell, width) + "  " }
        while text.last == " " { text.removeLast() }
        return text
    }

    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
