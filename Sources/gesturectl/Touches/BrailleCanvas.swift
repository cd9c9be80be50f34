// SPDX-License-Identifier: MIT
import CLinux

/// A picture of dots and text for a terminal: each character is a braille pattern of 2 x 4 dots.
struct BrailleCanvas {
    let columns: Int
    let rows: Int
    private var dots: [UInt8]
    private var letters: [Character?]

    /// Dots across and down.
    var width: Int { columns * 2 }
    var height: Int { rows * 4 }

    init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        dots = Array(repeating: 0, count: self.columns * self.rows)
        letters = Array(repeating: nil, count: self.columns * self.rows)
    }

    /// Sets a dot; outside the picture nothing happens.
    mutating func set(_ x: Int, _ y: Int) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        // Unicode numbers a pattern's dots 1-3 down the left, 4-6 down the right, 7 and 8 below.
        let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
        dots[y / 4 * columns + x / 2] |= bits[y % 4][x % 2]
    }

    /// Sets the dots between two points, both included.
    mutating func line(from a: (x: Int, y: Int), to b: (x: Int, y: Int)) {
        let steps = min(max(abs(b.x - a.x), abs(b.y - a.y), 1), width + height)
        for step in 0...steps {
            set(a.x + (b.x - a.x) * step / steps, a.y + (b.y - a.y) * step / steps)
        }
    }

    /// Whether no text has been written there yet.
    func isFree(column: Int, row: Int, count: Int) -> Bool {
        guard row >= 0, row < rows else { return false }
        return (column..<column + max(0, count)).allSatisfy { column in
            column < 0 || column >= columns || letters[row * columns + column] == nil
        }
    }

    /// Writes text over the dots, as far as there is space.
    mutating func write(_ text: String, column: Int, row: Int) {
        guard row >= 0, row < rows else { return }
        for (i, letter) in text.enumerated() where column + i >= 0 && column + i < columns {
            letters[row * columns + column + i] = letter
        }
    }

    /// One string for each row, without blanks at the end.
    var lines: [String] {
        (0..<rows).map { row in
            var line = ""
            for column in 0..<columns {
                let index = row * columns + column
                let pattern = Unicode.Scalar(0x2800 + UInt32(dots[index])).map(Character.init) ?? " "
                line.append(letters[index] ?? (dots[index] == 0 ? " " : pattern))
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// The terminal's alternate screen, without a cursor. `leave` restores the terminal.
enum Terminal {
    /// Characters across and down; 80 x 24 when unknown.
    static var size: (columns: Int, rows: Int) {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard linux_terminal_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0 else { return (80, 24) }
        return (Int(columns), Int(rows))
    }

    static func enter() { StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l") }

    static func leave() { StandardOutput.write("\u{1B}[?25h\u{1B}[?1049l") }

    /// Replaces the screen by these lines.
    static func show(_ lines: [String]) {
        StandardOutput.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }
}
