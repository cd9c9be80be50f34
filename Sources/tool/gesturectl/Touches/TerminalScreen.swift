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

    /// The screen of the tool's own terminal.
    /// - Parameter interrupt: a descriptor that becomes readable when the tool should end.
    init(interrupt: CInt) {
        self.interrupt = interrupt
        do {
            own = try Self.open("/proc/self/fd/1")
        } catch {
            own = OwnedDescriptor(adopting: dup(STDOUT_FILENO))
        }
    }

    /// The screen of any terminal.
    /// - Throws: `ToolError` 73 if it cannot be opened.
    init(path: String, interrupt: CInt) throws(ToolError) {
        self.interrupt = interrupt
        do throws(SystemError) {
            own = try Self.open(path)
        } catch {
            throw ToolError(.cannotCreate, "\(path.safe): \(error.reason)")
        }
    }

    private static func open(_ path: String) throws(SystemError) -> OwnedDescriptor {
        try OwnedDescriptor(opening: path, flags: O_WRONLY | O_NONBLOCK | O_NOCTTY)
    }

    var descriptor: CInt { own.rawValue }

    /// The size in characters; 80 x 24 if unknown.
    var size: (columns: Int, rows: Int) { Self.size(of: own.rawValue) ?? (80, 24) }

    /// The size of a terminal in characters; `nil` if the descriptor is not that of a terminal with a size.
    static func size(of descriptor: CInt) -> (columns: Int, rows: Int)? {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard linux_terminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
        return (Int(columns), Int(rows))
    }

    func enter() { _ = write("\u{1B}[?1049h\u{1B}[?25l") }

    func leave() { _ = write("\u{1B}[?25h\u{1B}[?1049l") }

    /// Replaces the contents of the screen by these lines, which are cut to the width of the screen.
    /// - Returns: `false` if the tool should end and the terminal accepts no output.
    func show(_ lines: [String]) -> Bool {
        let columns = size.columns
        let texts = lines.map { StandardOutput.layout.cut($0, to: columns) + "\u{1B}[K" }
        return write("\u{1B}[H" + texts.joined(separator: "\r\n") + "\u{1B}[J")
    }

    private func write(_ text: String) -> Bool {
        writeAll(Array(text.utf8), to: own.rawValue, orReadable: interrupt)?.code != EINTR
    }
}
