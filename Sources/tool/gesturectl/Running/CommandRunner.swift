// SPDX-License-Identifier: MIT
import CLinux
import GestureClient
import GestureProtocol
import Glibc
import LinuxSystem

/// Runs a command once for each line, or for the steps of a movement. The next run starts when the previous one has
/// ended.
///
/// It reads lines while a command runs, so that they do not pile up in the daemon. A line that has waited longer than
/// `oldest` is skipped, and the number of skipped lines is reported.
final class CommandRunner {
    /// The longest wait in microseconds. A late reaction to a tap is surprising; the daemon drops lines after
    /// the same time.
    static let oldest: Int64 = 2_000_000
    /// The maximum number of waiting lines: as many as the daemon queues for a client.
    static let longestQueue = 256

    private let command: [String]
    private let timeout: Seconds?
    private let signals: SignalWait
    private var waiting: [Wait] = []
    /// Counts the steps; `nil` if the command runs for each line.
    private var movements: MovementSteps?
    private var running: (child: ChildCommand, end: Int64?)?
    /// The maximum of `skipped`, so that adding a count from the daemon cannot overflow.
    private static let most: Int64 = 1 << 52
    /// The number of lines that were skipped since the last report.
    private var skipped: Int64 = 0
    /// The number of runs that are left; `nil`: unlimited.
    private var left: Int?

    /// A line, or the steps of a movement, for which the command will run.
    private struct Wait {
        var line: [UInt8]
        var event: JSONValue
        var arrival: Int64
        /// The number of steps; `nil` if the line is no movement that is counted.
        var steps: Int?

        /// Whether the steps of another line are added to these.
        func isOf(_ other: JSONValue) -> Bool {
            ["device", "region", "gesture", "name"].allSatisfy { event[$0]?.string == other[$0]?.string }
        }
    }

    /// - Parameters:
    ///   - command: the program and its arguments; not empty.
    ///   - timeout: the maximum duration of each run; `nil`: unlimited.
    ///   - count: the number of runs; `nil`: unlimited.
    ///   - step: the step of a movement for which the command runs; `nil`: it runs for each line.
    init(_ command: [String], timeout: Seconds?, count: Int?, step: StepSize?) throws(ToolError) {
        self.command = command
        self.timeout = timeout
        left = count
        movements = step.map { MovementSteps(of: $0) }
        // The tool's parent may have set SIGCHLD to be ignored, in which case waiting for the command would fail.
        signal(SIGCHLD, SIG_DFL)
        let signals = try SignalWait(and: [SIGCHLD])
        self.signals = signals
    }

    /// Runs until the last run has ended, or until the tool is interrupted or its output is closed, which
    /// also ends the command.
    /// - Parameter isWanted: whether to run the command for a line.
    /// - Throws: an error if the connection to the daemon is lost, after all waiting lines have been handled.
    func serve(_ connection: DaemonConnection, _ isWanted: (JSONValue) -> Bool) throws {
        movements?.forget()
        if movements != nil { connection.send(MovementSteps.request) }
        var isConnected = true
        while isConnected || running != nil || !waiting.isEmpty {
            try update()
            if left == 0, running == nil { return reportSkipped() }
            guard isConnected || running != nil else { continue }
            let deadline = running.flatMap { $0.end }
            guard isConnected else {
                wait(until: deadline)
                continue
            }
            connection.beforeEnd = { [child = running?.child] in child?.end() }
            switch try connection.next(until: deadline, orReadable: signals.rawValue) {
            case .line(let line):
                if take(line, isWanted) { connection.send(MovementSteps.request) }
            case .end: isConnected = false
            case .ready, .timeout: break
            }
        }
        reportSkipped()
        throw connection.lost()
    }

    /// Waits while the daemon is not running.
    /// - Parameter deadline: on the monotonic clock, in microseconds.
    func pause(until deadline: Int64) throws {
        while MonotonicClock.now() < deadline {
            wait(until: deadline)
            try update()
            StandardOutput.endIfUnread()
        }
    }

    /// Checks the running command, and starts the next one.
    private func update() throws {
        while let signal = signals.next() {
            if signal == SIGCHLD { continue }
            running?.child.end()
            reportSkipped()
            SignalWait.die(of: signal)
        }
        if let (child, end) = running {
            if let status = child.status() {
                running = nil
                if status != 0 { StandardError.tell("\(command[0].safe) ended with status \(status)") }
            } else if let end, end <= MonotonicClock.now() {
                child.end()
                running = nil
                StandardError.tell("\(command[0].safe) took longer than --timeout and was ended")
            }
        }
        while running == nil, left != 0, let next = waiting.first {
            waiting.removeFirst()
            let now = MonotonicClock.now()
            guard now - next.arrival <= Self.oldest else {
                skipped += 1
                continue
            }
            reportSkipped()
            left = left.map { $0 - 1 }
            let variables = Exec.variables(next.event, steps: next.steps)
            let child = try ChildCommand(command, input: next.line + [0x0A], variables: variables)
            running = (child, timeout.map { now + $0.microseconds })
        }
    }

    /// - Returns: whether the sizes of the panels may have changed, and are needed.
    private func take(_ line: [UInt8], _ isWanted: (JSONValue) -> Bool) -> Bool {
        guard let event = JSONValue(parsing: line) else { return false }
        if event["reply"]?.string == "devices" { movements?.take(panels: GestureClient.Device.all(in: event)) }
        switch event["event"]?.string {
        case _ where isWanted(event):
            guard movements == nil else {
                addSteps(line, event)
                return false
            }
            wait(Wait(line: line, event: event, arrival: MonotonicClock.now()))
        case "overflow":
            skipped = min(skipped + min(max(event["dropped"]?.integer ?? 1, 0), Self.most), Self.most)
            movements?.forget()
        case "device", "config": return movements != nil
        default: break
        }
        return false
    }

    private func wait(_ wait: Wait) {
        if waiting.count < Self.longestQueue { waiting.append(wait) } else { skipped += 1 }
    }

    /// Adds the steps of a line to those of the same gesture that wait. Steps there and back leave nothing to do.
    private func addSteps(_ line: [UInt8], _ event: JSONValue) {
        guard let steps = movements?.steps(of: GestureClient.Gesture(event)), steps != 0 else { return }
        let new = Wait(line: line, event: event, arrival: MonotonicClock.now(), steps: steps)
        guard let place = waiting.firstIndex(where: { $0.isOf(event) }), let old = waiting[place].steps else {
            return wait(new)
        }
        waiting[place] = new
        waiting[place].steps = old + steps
        if old + steps == 0 { waiting.remove(at: place) }
    }

    /// Waits only for the command or a signal.
    private func wait(until deadline: Int64?) {
        var entry = pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Connection.milliseconds(until: deadline))
    }

    private func reportSkipped() {
        guard skipped > 0 else { return }
        StandardError.tell("skipped \(counted(skipped, "gesture")): \(command[0].safe) takes too long")
        skipped = 0
    }
}

/// A running command of the user, started without a shell in its own process group, so that its children can be
/// ended too. It also ends when the tool ends, even if the tool is killed with SIGKILL.
struct ChildCommand {
    /// The time between SIGTERM and SIGKILL, in milliseconds.
    private static let grace: CInt = 1000

    private let process: pid_t

    /// - Parameters:
    ///   - words: the program, which is looked up in PATH, and its arguments; not empty.
    ///   - input: the contents of its standard input: at most the capacity of a pipe (64 KiB).
    ///   - variables: variables to add to the tool's environment; their names begin with `GESTURE`.
    /// - Throws: `ToolError` 127 if the command cannot be started.
    init(_ words: [String], input: [UInt8], variables: [(name: String, value: String)]) throws(ToolError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ToolError(.software, "pipe: \(SystemError.last("pipe").reason)") }
        // The command inherits the pipe only as its standard input.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = input.withUnsafeBytes { Glibc.write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        defer { close(ends[0]) }

        let arguments = words.map { strdup($0) } + [nil]
        let environment = (Self.inherited() + variables.map { "\($0.name)=\($0.value)" }).map { strdup($0) } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var child = pid_t()
        var start = linux_start(input: ends[0], output: -1, memory: 0, seconds: 0)
        let code = linux_spawn(&child, words[0], arguments, environment, &start)
        guard code == 0 else {
            throw ToolError(.notStarted, "\(words[0].safe): \(SystemError(call: "execvp", code: code).reason)")
        }
        process = child
    }

    /// Checks that a program exists, so that a mistake is reported before the first gesture.
    /// - Throws: `ToolError` 127.
    static func check(_ program: String) throws(ToolError) {
        if program.contains("/") {
            guard access(program, X_OK) != 0 else { return }
            throw ToolError(.notStarted, "\(program.safe): \(SystemError.last("access").reason)")
        }
        // The default is that of execvp(3).
        let folders = (Environment.value("PATH") ?? "/bin:/usr/bin").split(separator: ":")
        guard program.isEmpty || !folders.contains(where: { access("\($0)/\(program)", X_OK) == 0 }) else { return }
        throw ToolError(
            .notStarted, "there is no program \"\(program.safe)\" in PATH; check its name, or use its full path")
    }

    /// Returns the command's exit status, or 128 plus the number of the signal that ended it; `nil` while it runs.
    func status() -> Int32? { status(WNOHANG) }

    /// Waits until the command has ended. Returns the same value as `status`.
    func wait() -> Int32 {
        while true {
            if let status = status(0) { return status }
        }
    }

    private func status(_ options: CInt) -> Int32? {
        var status: Int32 = 0
        let result = waitpid(process, &status, options)
        guard result != 0 else { return nil }
        // A process that no longer exists is treated as ended with status 0.
        guard result > 0 else { return errno == EINTR ? nil : 0 }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Ends the command and its children with SIGTERM, and those that still run after a second with SIGKILL.
    func end() {
        kill(-process, SIGTERM)
        for _ in 0..<(Self.grace / 10) {
            // Its children may still run.
            if status() != nil, kill(-process, 0) != 0 { return }
            poll(nil, 0, 10)
        }
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Returns the tool's own environment, without the variables of an enclosing `gesturectl exec`.
    private static func inherited() -> [String] {
        var result: [String] = []
        var next = linux_environment()
        while let entry = next?.pointee {
            let text = String(cString: entry)
            if !text.hasPrefix("GESTURE="), !text.hasPrefix("GESTURE_") { result.append(text) }
            next = next?.advanced(by: 1)
        }
        return result
    }
}
