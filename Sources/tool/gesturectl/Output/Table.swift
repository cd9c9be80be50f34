// SPDX-License-Identifier: MIT
import ArgumentParser
import LinuxSystem

/// A table of aligned columns, as wide as their widest cells. In a table that is too wide, the last column is wrapped at
/// words, and the cells of the others are cut.
struct Table {
    /// The number of blanks between columns.
    private static let gap = 2
    /// The least average width of columns. In less space, each row is printed as a paragraph.
    private static let leastWidth = 5

    var legend: [String]
    var rows: [[String]] = []
    /// For a column, a function that returns the colour of a cell from its text.
    var colors: [Int: (String) -> Colors.Color?] = [:]
    /// The columns that a table that is too wide leaves out, the least important one first.
    var optional: [Int] = []

    init(_ legend: String...) {
        self.legend = legend
    }

    /// Returns complete lines; an empty table has no lines, not even the legend.
    func text(withLegend: Bool, colors: Colors = Colors(isOn: false), in layout: TextLayout = TextLayout()) -> String {
        guard !rows.isEmpty else { return "" }
        let rows = (withLegend ? [legend] + rows : rows).map { $0.map(layout.plain) }
        let columns = shown(rows, in: layout)
        let widths = fitted(
            columns.map { Self.width(of: $0, in: rows) }, to: layout.width,
            word: Self.longestWord(of: columns.last ?? 0, in: rows))
        return rows.enumerated().map { index, cells in
            let painted = columns.filter { $0 < cells.count }.map { column in
                Cell(
                    text: cells[column],
                    color: withLegend && index == 0 || !colors.isOn ? nil : self.colors[column]?(cells[column]))
            }
            guard let widths else { return Self.paragraph(painted, colors, in: layout) }
            return Self.lines(painted, widths, colors, in: layout)
        }.joined()
    }

    private struct Cell {
        var text: String
        var color: Colors.Color?
    }

    private static func width(of column: Int, in rows: [[String]]) -> Int {
        rows.map { $0.count > column ? $0[column].columns : 0 }.max() ?? 0
    }

    private static func longestWord(of column: Int, in rows: [[String]]) -> Int {
        rows.filter { $0.count > column }.flatMap { $0[column].split(separator: " ") }.map { String($0).columns }.max()
            ?? 0
    }

    private func shown(_ rows: [[String]], in layout: TextLayout) -> [Int] {
        var columns = Array(0..<(rows.map(\.count).max() ?? 0))
        guard let width = layout.width else { return columns }
        // The last column is wrapped, so it needs only a part of the width.
        let last = Self.width(of: columns.last ?? 0, in: rows)
        var rest = columns.dropLast().reduce(min(last, width / 3)) { $0 + Self.width(of: $1, in: rows) + Self.gap }
        for column in optional where rest > width {
            columns.removeAll { $0 == column }
            rest -= Self.width(of: column, in: rows) + Self.gap
        }
        return columns
    }

    /// Returns the widths of the columns in a table of this width; `nil` if it is too narrow for a table. The last column
    /// gets at least a third of the width, and up to a half if it contains a long word.
    private func fitted(_ widths: [Int], to width: Int?, word: Int) -> [Int]? {
        guard let width, let last = widths.last else { return widths }
        let room = width - Self.gap * (widths.count - 1)
        guard widths.reduce(0, +) > room else { return widths }
        guard room >= Self.leastWidth * widths.count else { return nil }
        var others = Array(widths.dropLast())
        let most = room - max(min(last, max(room / 3, min(word, room / 2))), room - others.reduce(0, +))
        var limit = min(others.max() ?? 0, room)
        while others.reduce(0, { $0 + min($1, limit) }) > most { limit -= 1 }
        others = others.map { min($0, limit) }
        return others + [min(last, room - others.reduce(0, +))]
    }

    private static func lines(_ cells: [Cell], _ widths: [Int], _ colors: Colors, in layout: TextLayout) -> String {
        let last = cells.lastIndex { !$0.text.isEmpty } ?? -1
        var text = ""
        var column = 0
        for (index, cell) in cells.prefix(last + 1).enumerated() {
            let isWrapped = index == widths.count - 1
            let parts =
                isWrapped
                ? layout.with(width: layout.width.map { _ in widths[index] }).wrap(cell.text)
                : [layout.width == nil ? cell.text : layout.cut(cell.text, to: widths[index])]
            let lines = parts.map { part in cell.color.map { colors.paint(part, $0) } ?? part }
            text += lines.joined(separator: "\n" + TextLayout.blanks(column))
            if index < last { text += TextLayout.blanks(widths[index] - (parts.last ?? "").columns + gap) }
            column += widths[index] + gap
        }
        while text.last == " " { text.removeLast() }
        return text + "\n"
    }

    private static func paragraph(_ cells: [Cell], _ colors: Colors, in layout: TextLayout) -> String {
        let texts = cells.filter { !$0.text.isEmpty }.map { cell in
            cell.color.map { colors.paint(cell.text, $0) } ?? cell.text
        }
        let line = texts.joined(separator: blanks)
        return layout.wrap(line, indent: blanks).joined(separator: "\n") + "\n"
    }

    private static var blanks: String { TextLayout.blanks(gap) }

    static func pad(_ text: String, _ width: Int) -> String { text + TextLayout.blanks(width - text.columns) }
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
