// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import Glibc
import LinuxSystem

/// Runs a command for one line after the other, never two at a time.
///
/// Reads on while one runs, so that the daemon does not have to wait: what has waited for longer than
/// `oldest` by its turn is not run, and told.
struct CommandRunner: ~Copyable {
    /// A page that acts on a tap of long ago surprises; the same as the daemon's own limit, in microseconds.
    static let oldest: Int64 = 2_000_000
    /// As many lines as the daemon would keep.
    static let longestQueue = 256

    private let command: [String]
    private let timeout: Seconds?
    private let variables: (JSONValue) -> [(name: String, value: String)]
    private let signals: SignalWait
    private var waiting: [(line: [UInt8], event: JSONValue, arrival: Int64)] = []
    private var running: (child: ChildCommand, end: Int64?)?
    /// Lines that were not run since that was last told.
    private var skipped: Int64 = 0

    /// - Parameters:
    ///   - command: not empty.
    ///   - timeout: a run that takes longer is ended; nil: none is.
    ///   - variables: what the environment of a run says of its event.
    init(
        _ command: [String], timeout: Seconds?, variables: @escaping (JSONValue) -> [(name: String, value: String)]
    ) throws(ToolError) {
        self.command = command
        self.timeout = timeout
        self.variables = variables
        // Whoever started the tool may have left it ignored: then nobody could be waited for.
        signal(SIGCHLD, SIG_DFL)
        signals = try SignalWait(and: [SIGCHLD])
    }

    /// Until the tool is asked to end or nobody reads its output, which ends the command too; or until the daemon
    /// is gone and everything that waited has been run.
    mutating func serve(_ connection: DaemonConnection) throws {
        var isConnected = true
        while isConnected || running != nil || !waiting.isEmpty {
            try attend()
            guard isConnected || running != nil else { continue }
            let left = running?.end.map { CInt(clamping: max(0, ($0 - MonotonicClock.now() + 999) / 1000)) } ?? -1
            guard isConnected else {
                wait(left)
                continue
            }
            connection.beforeEnd = { [child = running?.child] in child?.end() }
            switch try connection.next(within: left, orReadable: signals.rawValue) {
            case .line(let line): take(line)
            case .end: isConnected = false
            case .interrupted, .timeout: break
            }
        }
        tellSkipped()
        throw connection.lost()
    }

    /// Looks after the one that runs, and starts the next one.
    private mutating func attend() throws {
        while let signal = signals.next() {
            if signal == SIGCHLD { continue }
            running?.child.end()
            tellSkipped()
            SignalWait.die(of: signal)
        }
        if let (child, end) = running {
            if let status = child.status() {
                running = nil
                if status != 0 { StandardError.write("gesturectl: \(command[0].safe) ended with status \(status)\n") }
            } else if let end, end <= MonotonicClock.now() {
                child.end()
                running = nil
                StandardError.write("gesturectl: \(command[0].safe) took longer than --timeout, and was ended\n")
            }
        }
        while running == nil, let next = waiting.first {
            waiting.removeFirst()
            let now = MonotonicClock.now()
            guard now - next.arrival <= Self.oldest else {
                skipped += 1
                continue
            }
            tellSkipped()
            let child = try ChildCommand(command, input: next.line + [0x0A], variables: variables(next.event))
            running = (child, timeout.map { now + $0.microseconds })
        }
    }

    private mutating func take(_ line: [UInt8]) {
        guard let event = JSONValue(parsing: line) else { return }
        switch event["event"]?.string {
        case "gesture":
            if waiting.count < Self.longestQueue {
                waiting.append((line, event, MonotonicClock.now()))
            } else {
                skipped += 1
            }
        case "overflow": skipped += event["dropped"]?.integer ?? 1
        default: break
        }
    }

    /// The daemon has gone: waits for the command alone.
    private func wait(_ milliseconds: CInt) {
        var wanted = pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0)
        poll(&wanted, 1, milliseconds)
    }

    private mutating func tellSkipped() {
        guard skipped > 0 else { return }
        StandardError.write(
            "gesturectl: not run for \(skipped) gesture\(skipped == 1 ? "" : "s"): \(command[0].safe) takes too long\n")
        skipped = 0
    }
}
