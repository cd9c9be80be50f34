// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// The terminal's alternate screen, without a cursor. `leave` restores the terminal.
///
/// A terminal that accepts no output (Ctrl-S, a connection that hangs) does not keep the tool from ending.
struct TerminalScreen: ~Copyable {
    /// A second descriptor of the terminal, because standard output is shared with other programs and must stay
    /// blocking. If this user may not open the terminal, it is a duplicate of standard output.
    private let own: OwnedDescriptor
    private let interrupt: CInt

    /// - Parameter interrupt: a descriptor that becomes readable when the tool should end.
    init(interrupt: CInt) {
        self.interrupt = interrupt
        do {
            own = try OwnedDescriptor(opening: "/proc/self/fd/1", flags: O_WRONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            own = OwnedDescriptor(adopting: dup(STDOUT_FILENO))
        }
    }

    /// The size in characters; 80 x 24 if unknown.
    static var size: (columns: Int, rows: Int) {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard linux_terminal_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0 else { return (80, 24) }
        return (Int(columns), Int(rows))
    }

    func enter() { _ = write("\u{1B}[?1049h\u{1B}[?25l") }

    func leave() { _ = write("\u{1B}[?25h\u{1B}[?1049l") }

    /// Replaces the contents of the screen by these lines, which are cut to the width of the screen.
    /// - Returns: `false` if the tool should end and the terminal accepts no output.
    func show(_ lines: [String]) -> Bool {
        let columns = Self.size.columns
        let texts = lines.map { StandardOutput.layout.cut($0, to: columns) + "\u{1B}[K" }
        return write("\u{1B}[H" + texts.joined(separator: "\r\n") + "\u{1B}[J")
    }

    private func write(_ text: String) -> Bool {
        writeAll(Array(text.utf8), to: own.rawValue, orReadable: interrupt)?.code != EINTR
    }
}
