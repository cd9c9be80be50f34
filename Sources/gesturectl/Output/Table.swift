// SPDX-License-Identifier: MIT
import ArgumentParser
import LinuxSystem

/// A table of aligned columns, as wide as their widest cells.
struct Table {
    var legend: [String]
    var rows: [[String]] = []
    /// For a column, a function that returns the colour of a cell from its text.
    var colors: [Int: (String) -> Colors.Color?] = [:]

    init(_ legend: String...) {
        self.legend = legend
    }

    /// Returns complete lines; an empty table has no lines, not even the legend.
    func text(withLegend: Bool, colors: Colors = Colors(isOn: false)) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = withLegend ? [legend] + rows : rows
        let columns = lines.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in lines.map { $0.count > column ? $0[column].columns : 0 }.max() ?? 0 }
        return lines.enumerated().map { index, cells in
            line(cells, widths, withLegend && index == 0 ? Colors(isOn: false) : colors) + "\n"
        }.joined()
    }

    private func line(_ cells: [String], _ widths: [Int], _ colors: Colors) -> String {
        let last = cells.lastIndex { !$0.isEmpty } ?? -1
        var text = ""
        for column in cells.indices.prefix(last + 1) {
            let cell = cells[column]
            let color = self.colors[column]?(cell)
            text += color.map { colors.paint(cell, $0) } ?? cell
            if column < last { text += Self.pad("", widths[column] - cell.columns + 2) }
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.columns))
    }
}

/// The user's choice of when output is coloured.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    /// For `auto`: on a terminal that is not dumb, unless `NO_COLOR` is set and not empty (no-color.org).
    var isOn: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            StandardOutput.isTerminal && (Environment.value("NO_COLOR") ?? "").isEmpty
                && Environment.value("TERM") != "dumb"
        }
    }
}

/// Adds colours to text, if they are on.
struct Colors {
    enum Color: Int {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
        case bold = 1
        case dim = 2
    }

    var isOn: Bool

    func paint(_ text: String, _ color: Color) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
