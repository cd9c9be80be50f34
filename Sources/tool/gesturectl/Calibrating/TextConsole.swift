// SPDX-License-Identifier: MIT
import CLinux
import GestureEngine

/// A text console that fills the display of the panel. A target is the centre of a character cell.
final class TextConsole {
    /// The screen of the tool's own terminal.
    static let own = "/proc/self/fd/1"

    private let screen: TerminalScreen
    private let grid: ConsoleGrid

    /// Whether the terminal on standard output is a Linux text console.
    static var isOwn: Bool { ConsoleGrid.isLinuxConsole(1) }

    /// Takes the screen, until `leave` is called.
    /// - Parameters:
    ///   - path: the terminal.
    ///   - interrupt: a descriptor that becomes readable when the tool should end.
    /// - Throws: `ToolError` 73 if it cannot be written.
    init(_ path: String, interrupt: CInt) throws(ToolError) {
        let screen = try TerminalScreen(path: path, interrupt: interrupt)
        grid = try ConsoleGrid(screen.descriptor, path: path)
        self.screen = screen
        self.screen.enter()
    }

    /// Clears the screen, because Linux consoles have no alternate one, and restores the terminal.
    func leave() {
        _ = screen.show([])
        screen.leave()
    }

    /// Returns the centre of the nearest character cell, from 0 to 1 across the display.
    func center(nearest point: Point) -> Point { grid.center(of: grid.cell(at: point)) }

    /// Draws a cross at a position, and a text in the middle, or below the cross if that is in the middle.
    func show(_ point: Point, _ text: String) {
        let texts = [text, "hold the finger there for a moment; Ctrl-C ends this"]
        _ = screen.show(grid.picture(of: grid.cell(at: point), texts))
    }
}

/// The character cells of a text console, and the part of the display that they fill.
struct ConsoleGrid: Hashable {
    let columns: Int
    let rows: Int
    /// The share of the display that the cells fill. Below and on the right, the rest is less than a cell.
    var share = Point(x: 1, y: 1)

    /// The size of the smallest console on which texts do not cover the crosses.
    static let least = (columns: 40, rows: 15)

    init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    /// - Throws: `ToolError` 73 if the descriptor is not that of a terminal, or the terminal is too small.
    init(_ descriptor: CInt, path: String) throws(ToolError) {
        guard let size = TerminalScreen.size(of: descriptor) else {
            let name = path == TextConsole.own ? "the standard output" : path.safe
            throw ToolError(.cannotCreate, "\(name) is not a terminal; name the console that fills the display")
        }
        (columns, rows) = size
        guard columns >= Self.least.columns, rows >= Self.least.rows else {
            throw ToolError(
                .cannotCreate,
                "the console has \(columns) columns and \(rows) rows, but the targets need \(Self.least.columns) and "
                    + "\(Self.least.rows); use a smaller font, or the page /calibrate")
        }
        var cells = linux_console_cells()
        guard linux_console_cells_of(descriptor, &cells) == 0, cells.display_width > 0, cells.display_height > 0 else {
            return
        }
        let filled = (x: columns * Int(cells.width), y: rows * Int(cells.height))
        guard filled.x <= cells.display_width, filled.y <= cells.display_height else { return }
        share = Point(
            x: Double(filled.x) / Double(cells.display_width), y: Double(filled.y) / Double(cells.display_height))
    }

    static func isLinuxConsole(_ descriptor: CInt) -> Bool {
        var cells = linux_console_cells()
        return linux_console_cells_of(descriptor, &cells) == 0
    }

    /// The cell at a position, from 0 to 1 across the display.
    func cell(at point: Point) -> (column: Int, row: Int) {
        func index(_ position: Double, _ share: Double, _ count: Int) -> Int {
            min(max(Int(position / share * Double(count)), 0), count - 1)
        }
        return (index(point.x, share.x, columns), index(point.y, share.y, rows))
    }

    func center(of cell: (column: Int, row: Int)) -> Point {
        Point(
            x: (Double(cell.column) + 0.5) / Double(columns) * share.x,
            y: (Double(cell.row) + 0.5) / Double(rows) * share.y)
    }

    /// The lines of a screen with a cross around a cell, and texts.
    func picture(of cell: (column: Int, row: Int), _ texts: [String]) -> [String] {
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        let layout = TextLayout(width: max(columns * 2 / 3, min(columns - 2, 60)))
        let lines = texts.flatMap { layout.wrap($0) }
        let middle = (rows - lines.count) / 2
        let isFree = abs(cell.row - rows / 2) > lines.count / 2 + 2
        let first = isFree ? middle : cell.row < rows / 2 ? cell.row + 3 : max(0, cell.row - 2 - lines.count)
        for (offset, line) in lines.enumerated() {
            canvas.write(line, column: max(0, (columns - line.columns) / 2), row: first + offset)
        }
        // Consoles have fonts without braille patterns, so the cross is made of letters.
        for (row, part) in [(-1, "|"), (0, "+"), (1, "|")] {
            canvas.write(part, column: cell.column, row: cell.row + row)
        }
        canvas.write("--", column: cell.column - 2, row: cell.row)
        canvas.write("--", column: cell.column + 1, row: cell.row)
        return canvas.lines
    }
}
