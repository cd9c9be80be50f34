// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import Glibc
import LinuxSystem

/// Shows a cross on each output of the compositor in turn, and waits for the panel on which a finger is held.
///
/// The region that hears the fingers is a lease, which owns all touches meanwhile and goes when the tool ends.
struct ScreenSearch {
    /// The time for which a cross is shown, in microseconds.
    private static let patience: Int64 = 60_000_000
    /// The time after which the messages of the compositor are read, in microseconds.
    private static let pause: Int64 = 100_000

    private enum Answer {
        case panel(String)
        case noPanel
        case interrupted
    }

    let connection: DaemonConnection
    let screens: WaylandScreens
    /// A descriptor that becomes readable when the tool should end.
    let interrupt: CInt

    /// - Parameter panels: the ids of the panels to look for.
    /// - Returns: each panel that was touched, with the output that it lies on; `nil` if the search was interrupted.
    func run(for panels: [String]) throws -> [(panel: String, screen: WaylandScreens.Screen)]? {
        let region: GestureClient.JSON = [
            "id": .text(TargetDisplay.region), "shape": "full", "touches": "capture",
            "gestures": [["type": "long_press", "delay": "300ms"]],
        ]
        _ = try connection.reply(to: RequestLine("define_regions", [("lease", true), ("regions", [region])]))
        _ = try connection.reply(
            to: RequestLine("subscribe", [("events", ["gesture"]), ("regions", [.text(TargetDisplay.region)])]))
        var found: [(panel: String, screen: WaylandScreens.Screen)] = []
        for (index, screen) in screens.screens.enumerated() where found.count < panels.count {
            try screens.show(crossOn: index)
            let skipping = isatty(STDIN_FILENO) == 1 ? "; Enter: no panel lies on it" : ""
            StandardError.tell("hold a finger on the cross on \(screen.name)\(skipping)")
            asking: while true {
                switch try answer() {
                case .interrupted: return nil
                case .noPanel:
                    StandardError.tell("no panel lies on \(screen.name)")
                    break asking
                case .panel(let id) where !panels.contains(id):
                    StandardError.tell("that was the panel \"\(id.safe)\"")
                case .panel(let id):
                    if let known = found.first(where: { $0.panel == id }) {
                        StandardError.tell(
                            "\"\(id.safe)\" lies on \(known.screen.name); touch the cross on \(screen.name)")
                        continue
                    }
                    StandardError.tell("\"\(id.safe)\" lies on \(screen.name)")
                    found.append((id, screen))
                    break asking
                }
            }
        }
        return found
    }

    private func answer() throws -> Answer {
        let end = MonotonicClock.now() + Self.patience
        while MonotonicClock.now() < end {
            try screens.dispatch()
            if hasLine() { return .noPanel }
            switch try connection.next(until: MonotonicClock.now() + Self.pause, orReadable: interrupt) {
            case .timeout: continue
            case .ready: return .interrupted
            case .end: throw connection.lost()
            case .line(let line):
                guard let event = JSONValue(parsing: line), event.text("event") == "gesture",
                    event.text("phase") == "begin", event.text("region") == TargetDisplay.region
                else { continue }
                return .panel(event.text("device"))
            }
        }
        return .noPanel
    }

    /// Whether a line was typed at the terminal.
    private func hasLine() -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard isatty(STDIN_FILENO) == 1, poll(&input, 1, 0) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 4096)
        return read(STDIN_FILENO, &bytes, bytes.count) > 0
    }
}
