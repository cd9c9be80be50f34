// SPDX-License-Identifier: MIT
import CLinux
import GestureClient
import GestureProtocol
import LinuxSystem
import TouchInput

/// Waits until other programs, such as the daemon and a compositor, have opened a new panel.
///
/// They open it when udev tells them, each at its own time. So the wait ends when no further program has opened it, or its
/// twin, for half a second, and when those that have opened it have opened its twin.
struct PanelReaders {
    /// The state of the panel as other programs see it.
    private struct State: Hashable {
        var isInitialised = false
        /// The names and ids of the programs that have it open, as far as this user may know.
        var readers: [String] = []
        /// The programs that have its twin open; `nil` if there is no twin.
        var twinReaders: [String]?
        /// Whether this user may see the open files of all programs.
        var isComplete = true
        /// The daemon's state of the panel, and the reason for it, or the panel's id; `nil` if the daemon does not know
        /// the panel.
        var device: [String]?
    }

    private static let calm: Int64 = 500_000
    private static let pause: Int64 = 50_000

    private let node: String
    private var daemon: DaemonConnection?
    private let signals: CInt
    private var state = State()

    /// - Parameters:
    ///   - daemon: the daemon that shall use the panel; `nil` if there is none.
    ///   - signals: a descriptor that is readable when the tool should end.
    init(of node: String, daemon: DaemonConnection?, signals: CInt) {
        self.node = node
        self.daemon = daemon
        self.signals = signals
    }

    /// A text such as `read by gestured (812), sway (1034)`, and the daemon's reason not to use the panel.
    var text: String {
        let readers = Set(state.readers + (state.twinReaders ?? [])).sorted().joined(separator: ", ")
        var lines = readers.isEmpty ? "ready; only root sees who reads it\n" : "read by \(readers)\n"
        if let device = state.device {
            let reason = device.dropFirst().joined(separator: ": ")
            lines +=
                device.first == "ready"
                ? "gestured uses it as \"\(reason)\"\n" : "gestured does not use it: \(reason)\n"
        } else if daemon != nil {
            lines += "gestured does not list it\n"
        }
        return lines
    }

    /// - Parameter limit: the longest wait, in microseconds.
    /// - Returns: `false` if a signal has arrived.
    /// - Throws: `ToolError` 124 if nobody has opened the panel in time.
    mutating func wait(atMost limit: Int64) throws(ToolError) -> Bool {
        let end = MonotonicClock.now() + limit
        var since = MonotonicClock.now()
        while true {
            let begin = MonotonicClock.now()
            let next = look()
            let now = MonotonicClock.now()
            if next != state { (state, since) = (next, now) }
            let isKnown = daemon == nil || state.device.map { $0.first != "failed" } ?? false
            if isReadable, isKnown, isTwinRead, now - since >= Self.calm { return true }
            if now >= end { break }
            // A look takes long where many files are open, and the programs that are waited for need the time.
            if linux_readable_until(signals, now + max(Self.pause, 9 * (now - begin))) { return false }
        }
        guard isReadable else {
            throw ToolError(
                .timeout,
                state.isInitialised
                    ? "no program has opened \(node); start gestured or a compositor first, or pass a longer --wait"
                    : "udev has not handled \(node) in time; pass a longer --wait")
        }
        return true
    }

    private var isReadable: Bool { state.isInitialised && !(state.readers.isEmpty && state.isComplete) }

    /// The daemon is the only program that opens the panel, but not its twin. Others that do not are waited for in vain.
    private var isTwinRead: Bool { state.twinReaders.map { $0.count >= state.readers.count - 1 } ?? true }

    private mutating func look() -> State {
        var state = State()
        state.isInitialised = DiscoveredDevice.isInitialised(node)
        guard state.isInitialised else { return state }
        var twin: String?
        // A daemon that has gone, or whose status this user may not read, is not waited for.
        if let connection = daemon {
            if let devices = try? connection.devices() {
                let row = devices.first { $0.node == node }
                state.device = row.map { [$0.state, ($0.reason ?? $0.id).safe] }
                twin = row?.twin?.node
            } else {
                daemon = nil
            }
        }
        (state.readers, state.isComplete) = OpenFiles.holders(of: node)
        if let twin {
            state.isInitialised = DiscoveredDevice.isInitialised(twin)
            state.twinReaders = OpenFiles.holders(of: twin).names
        }
        return state
    }
}
