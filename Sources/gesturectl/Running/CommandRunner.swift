// SPDX-License-Identifier: MIT
import CLinux
import GestureClient
import GestureProtocol
import Glibc
import LinuxSystem

/// Runs a command for one line after the other, never two at a time.
///
/// It reads on while a command runs, so that the daemon need not wait. A line that has waited longer than `oldest` is
/// skipped and reported.
struct CommandRunner: ~Copyable {
    /// In microseconds. A late reaction to a tap surprises; the daemon drops lines after the same time.
    static let oldest: Int64 = 2_000_000
    /// As many lines as the daemon keeps for a client.
    static let longestQueue = 256

    private let command: [String]
    private let timeout: Seconds?
    private let variables: (JSONValue) -> [(name: String, value: String)]
    private let signals: SignalWait
    private var waiting: [(line: [UInt8], event: JSONValue, arrival: Int64)] = []
    private var running: (child: ChildCommand, end: Int64?)?
    /// Lines that were skipped since the last report.
    private var skipped: Int64 = 0

    /// - Parameters:
    ///   - command: not empty.
    ///   - timeout: for each run; nil: none.
    ///   - variables: the environment variables for an event.
    init(
        _ command: [String], timeout: Seconds?, variables: @escaping (JSONValue) -> [(name: String, value: String)]
    ) throws(ToolError) {
        self.command = command
        self.timeout = timeout
        self.variables = variables
        // The tool's parent may have left it ignored. Then the command could not be waited for.
        signal(SIGCHLD, SIG_DFL)
        signals = try SignalWait(and: [SIGCHLD])
    }

    /// Runs until the tool is interrupted or nobody reads its output, which ends the command too; or until the daemon
    /// is gone and all waiting lines have been run.
    mutating func serve(_ connection: DaemonConnection) throws {
        var isConnected = true
        while isConnected || running != nil || !waiting.isEmpty {
            try update()
            guard isConnected || running != nil else { continue }
            let deadline = running.flatMap { $0.end }
            guard isConnected else {
                wait(until: deadline)
                continue
            }
            connection.beforeEnd = { [child = running?.child] in child?.end() }
            switch try connection.next(until: deadline, orReadable: signals.rawValue) {
            case .line(let line): take(line)
            case .end: isConnected = false
            case .ready, .timeout: break
            }
        }
        reportSkipped()
        throw connection.lost()
    }

    /// Checks the running command, and starts the next one.
    private mutating func update() throws {
        while let signal = signals.next() {
            if signal == SIGCHLD { continue }
            running?.child.end()
            reportSkipped()
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
            reportSkipped()
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

    /// Waits only for the command, after the daemon has gone.
    private func wait(until deadline: Int64?) {
        var entry = pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Connection.milliseconds(until: deadline))
    }

    private mutating func reportSkipped() {
        guard skipped > 0 else { return }
        StandardError.write(
            "gesturectl: not run for \(skipped) gesture\(skipped == 1 ? "" : "s"): \(command[0].safe) takes too long\n")
        skipped = 0
    }
}
