// SPDX-License-Identifier: MIT
import CLinux

/// Work for a request. It is done by a separate process with limits on memory, processor time and duration, so that the
/// contents of the request cannot affect the program itself.
///
/// The process is another instance of this program, started with `--job NAME`: see `JobProgram`. It reads its input
/// from a file in memory and writes its output to a pipe. `run` blocks, so call it on a thread other than the loop's,
/// such as the thread of a `BackgroundWork` or of a pool.
package struct ChildJob: Sendable {
    /// The limits of one job.
    package struct Limits: Sendable {
        /// The maximum size of writable memory in bytes, not including the stack.
        package var memory: Int
        /// The maximum duration in milliseconds. Processor time has the same limit, rounded up to seconds.
        package var milliseconds: Int64
        /// The maximum size of the output in bytes.
        package var output: Int

        package init(memory: Int, milliseconds: Int64, output: Int) {
            self.memory = memory
            self.milliseconds = milliseconds
            self.output = output
        }
    }

    /// The outcome of a job. The output is complete only if the outcome is `done`.
    package enum Outcome: Hashable, Sendable {
        case done
        /// The output exceeds `Limits.output`.
        case outputTooLarge
        case outOfTime
        /// The process was terminated by a signal. This happens if it exceeds its memory limit or has a bug.
        case died(signal: CInt)
        /// The process exited with a status other than 0.
        case failed(status: CInt)
        /// The result is no longer needed: `stop` is readable, or `sink` has returned `false`.
        case stopped
        case notStarted(SystemError)
    }

    private let name: String
    package let limits: Limits
    private let arguments: [String]
    private let program: String

    /// - Parameters:
    ///   - name: the name of a job of `JobProgram`.
    ///   - arguments: arguments of the process. Every user of the machine can see them.
    ///   - program: the program to start; by default this one. Tests start other programs.
    package init(_ name: String, _ limits: Limits, arguments: [String] = [], program: String = "/proc/self/exe") {
        self.name = name
        self.limits = limits
        self.arguments = arguments
        self.program = program
    }

    /// Does the job and returns when its process has ended.
    /// - Parameters:
    ///   - stop: a descriptor, such as one end of a socket. When it is readable or hangs up, the job is stopped. -1
    ///     means that there is none.
    ///   - sink: receives the output in pieces while the process waits. It returns whether to continue.
    package func run(_ input: JobInput, stop: CInt = -1, _ sink: ([UInt8]) -> Bool) -> Outcome {
        do throws(SystemError) {
            let deadline = MonotonicClock.now() + limits.milliseconds * 1000
            let words = [CommandLine.arguments.first ?? program, JobProgram.option, name] + arguments
            let process = try ChildProcess.start(program, words, input, limits)
            let early = process.read(until: deadline, stop: stop, limit: limits.output, sink)
            return process.end(early, deadline: deadline, stop: stop)
        } catch {
            return .notStarted(error)
        }
    }

    /// Does the job and returns its whole output, which is empty unless the outcome is `done`.
    package func run(_ input: JobInput, stop: CInt = -1) -> (outcome: Outcome, output: [UInt8]) {
        var output: [UInt8] = []
        let outcome = run(input, stop: stop) { piece in
            output += piece
            return true
        }
        return (outcome, outcome == .done ? output : [])
    }

    /// Returns the reason why a job failed, such as `takes longer than 10 s`, for the client that sent the request.
    /// Returns `nil` if the job was done or stopped.
    package func complaint(_ outcome: Outcome) -> String? {
        switch outcome {
        case .done, .stopped: nil
        case .outputTooLarge: "produces more than \(limits.output >> 10) KiB of output"
        case .outOfTime: "takes longer than \(limits.milliseconds / 1000) s"
        case .died(let signal):
            "takes more than \(limits.memory >> 20) MiB of memory (its process received signal \(signal))"
        case .failed(let status): "failed with status \(status)"
        case .notStarted(let error): "cannot be started: \(error)"
        }
    }
}

/// The input of a job: a file in memory, which is written in pieces.
package final class JobInput: Sendable {
    fileprivate let file: OwnedDescriptor

    /// - Throws: `SystemError` if no descriptor is available.
    package init() throws(SystemError) {
        file = OwnedDescriptor(adopting: try retryingOnInterrupt("memfd_create") { linux_memory_file() })
    }

    package convenience init(_ bytes: [UInt8]) throws(SystemError) {
        try self.init()
        try write(all: bytes, to: file.rawValue)
    }

    /// - Throws: `SystemError` if there is not enough memory.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        try write(all: bytes, to: file.rawValue)
    }
}

/// A process that was started for a job and has not been reaped yet.
private struct ChildProcess: ~Copyable {
    private static let block = 65_536

    let process: pid_t
    let output: OwnedDescriptor
    /// A descriptor that becomes readable when the process has ended.
    let end: OwnedDescriptor

    static func start(
        _ program: String, _ words: [String], _ input: JobInput, _ limits: ChildJob.Limits
    ) throws(SystemError) -> ChildProcess {
        var ends: [CInt] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { throw .last("pipe") }
        let output = OwnedDescriptor(adopting: ends[0])
        let writer = OwnedDescriptor(adopting: ends[1])
        // Writing has moved the file offset to the end of the input.
        guard lseek(input.file.rawValue, 0, SEEK_SET) == 0 else { throw .last("lseek") }
        var start = linux_start(
            input: input.file.rawValue, output: writer.rawValue, memory: UInt64(clamping: limits.memory),
            seconds: UInt64(clamping: limits.milliseconds / 1000 + 1))
        let arguments = words.map { strdup($0) } + [nil]
        // If a variable is defined twice, the first definition applies. Without this definition, the Swift runtime
        // would report a process that exceeds a limit as a crash, and this report takes seconds.
        var variables = [strdup("SWIFT_BACKTRACE=enable=no")]
        defer { for text in arguments + variables.prefix(1) { free(text) } }
        var place = linux_environment()
        while let variable = place?.pointee {
            variables.append(variable)
            place = place?.successor()
        }
        variables.append(nil)
        var process = pid_t()
        let code = linux_spawn(&process, program, arguments, variables, &start)
        guard code == 0 else { throw SystemError(call: "execve", code: code, path: program) }
        let descriptor = linux_process_descriptor(process)
        guard descriptor < 0 else {
            return ChildProcess(process: process, output: output, end: OwnedDescriptor(adopting: descriptor))
        }
        let error = SystemError.last("pidfd_open")
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        throw error
    }

    /// Reads the output until the process closes it.
    /// - Returns: the reason to end the process early; `nil` if its output has ended.
    func read(until deadline: Int64, stop: CInt, limit: Int, _ sink: ([UInt8]) -> Bool) -> ChildJob.Outcome? {
        var left = limit
        var block = [UInt8](repeating: 0, count: Self.block)
        while true {
            if let early = wait(for: output.rawValue, until: deadline, stop: stop) { return early }
            let count = CLinux.read(output.rawValue, &block, block.count)
            if count == 0 { return nil }
            if count < 0 {
                if linux_errno() == EINTR { continue }
                return nil
            }
            guard count <= left else { return .outputTooLarge }
            left -= count
            guard sink(Array(block[..<count])) else { return .stopped }
        }
    }

    /// Waits until the process has ended, and reaps it. Its output has usually ended before.
    /// - Parameter early: the reason to end the process now; `nil` if there is none.
    consuming func end(_ early: ChildJob.Outcome?, deadline: Int64, stop: CInt) -> ChildJob.Outcome {
        let early = early ?? wait(for: end.rawValue, until: deadline, stop: stop)
        if early != nil { kill(-process, SIGKILL) }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 && linux_errno() == EINTR {}
        if let early { return early }
        switch (status & 0x7F, (status >> 8) & 0xFF) {
        case (0, 0): return .done
        case (0, let status): return .failed(status: status)
        case (SIGXCPU, _): return .outOfTime
        case (let signal, _): return .died(signal: signal)
        }
    }

    /// - Returns: the reason to stop waiting; `nil` if the descriptor is readable or has hung up.
    private func wait(for descriptor: CInt, until deadline: Int64, stop: CInt) -> ChildJob.Outcome? {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let left = deadline - MonotonicClock.now()
            guard left > 0 else { return .outOfTime }
            let count = poll(&entries, nfds_t(entries.count), CInt(clamping: left / 1000 + 1))
            if count < 0, linux_errno() != EINTR { return .notStarted(.last("poll")) }
            if count > 0 { return entries[1].revents != 0 ? .stopped : nil }
        }
    }
}
