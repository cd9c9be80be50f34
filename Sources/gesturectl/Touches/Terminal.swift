// SPDX-License-Identifier: MIT
import CLinux

/// The terminal's second screen, without a cursor; the first one comes back with `leave`.
enum Terminal {
    /// Characters across and down; 80 x 24 when nobody says.
    static var size: (columns: Int, rows: Int) {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard linux_terminal_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0 else { return (80, 24) }
        return (Int(columns), Int(rows))
    }

    static func enter() { StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l") }

    static func leave() { StandardOutput.write("\u{1B}[?25h\u{1B}[?1049l") }

    /// Shows lines from the top left corner on, and nothing else.
    static func show(_ lines: [String]) {
        StandardOutput.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }
}
