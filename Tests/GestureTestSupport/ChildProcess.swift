// SPDX-License-Identifier: MIT
import Glibc

/// Runs a program for a test, writes lines to it and reads its lines. Deinitialization kills the program.
package final class ChildProcess {
    /// The exit status of a program, or the signal that killed it.
    package enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)

        /// - Parameter status: the status that `waitpid` returns.
        fileprivate init(status: Int32) {
            let signal = status & 0x7f
            self = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
        }
    }

    package let pid: Int32
    /// The lines of the program's standard output.
    package let output: LineReader
    private var input: Int32?
    private var ending: Ending?

    /// - Parameters:
    ///   - environment: the complete environment of the program; `inherited` is a minimal one to extend.
    ///   - errorFile: the file for its standard error; `nil` for the test's own standard error.
    ///   - passed: a descriptor that the program receives as number 3, as from a service manager that passes sockets.
    package init(
        _ arguments: [String], environment: [String: String] = inherited, errorFile: String? = nil,
        passed: Int32? = nil
    ) throws {
        let (ownInput, childInput) = try Self.makePair()
        let (ownOutput, childOutput) = try Self.makePair()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, childInput, 0)
        posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
        if let errorFile {
            posix_spawn_file_actions_addopen(&actions, 2, errorFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        if let passed { posix_spawn_file_actions_adddup2(&actions, passed, 3) }
        // The program would keep inherited descriptors open, such as connections accepted by SwiftNIO, which are not
        // closed on exec. Other tests wait for the end of these connections.
        closeFrom(&actions, passed == nil ? 3 : 4)
        var child: pid_t = 0
        let code = Self.spawn(arguments, environment, &actions, &child)
        close(childInput)
        close(childOutput)
        pid = child
        input = ownInput
        output = LineReader(adopting: ownOutput)
        if code != 0 {
            ending = .exited(127)
            throw TestFailure("cannot start \(arguments.first ?? ""): \(String(cString: strerror(code)))")
        }
    }

    deinit {
        closeInput()
        guard ending == nil else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// The variables of the tests' environment that a program needs, without those that would change its behaviour.
    package static var inherited: [String: String] {
        var variables = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        // These also include the paths for the reports of a sanitizer and for the lines of the proxy (`LineArchive`).
        for name in ["PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "GESTURED_LINES"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }

    /// Writes a line to the program's standard input.
    package func send(_ line: String) throws {
        guard let input else { throw TestFailure("the program's input is closed") }
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 || errno == EINTR else { throw TestFailure("the program has ended") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    package func closeInput() {
        if let input { close(input) }
        input = nil
    }

    package func signal(_ number: Int32) {
        if ending == nil { kill(pid, number) }
    }

    /// Waits until the program closes its standard output and exits. A program that computes may take ten times as long.
    package func waitForExit(within seconds: Double = LineReader.patience) throws -> Ending {
        if let ending { return ending }
        for turn in 1... {
            let before = processorTicks
            do {
                try output.waitForEnd(within: seconds)
                break
            } catch {
                guard turn < 10, processorTicks > before + 10 else { throw error }
            }
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let result = Ending(status: status)
        ending = result
        return result
    }

    /// The processor time of the program so far, in hundredths of a second.
    private var processorTicks: Int {
        guard let status = try? String(contentsOf: "/proc/\(pid)/stat"), let name = status.lastIndex(of: ")") else {
            return 0
        }
        // The fields after the name; the 14th and 15th of all are the times in the program and in the kernel.
        let fields = status[name...].split(separator: " ")
        return fields.count > 13 ? fields[12...13].compactMap { Int($0) }.reduce(0, +) : 0
    }

    /// Whether the program is still running.
    package var isRunning: Bool {
        var status: Int32 = 0
        if ending == nil, waitpid(pid, &status, WNOHANG) == pid { ending = Ending(status: status) }
        return ending == nil
    }

    /// Runs a program until it exits.
    package static func run(
        _ arguments: [String], environment: [String: String] = inherited, within seconds: Double = LineReader.patience
    ) throws -> (status: Int32, output: String, errors: String) {
        let folder = try ScratchFolder()
        let child = try ChildProcess(arguments, environment: environment, errorFile: folder("errors"))
        child.closeInput()
        let ending = try child.waitForExit(within: seconds)
        guard case .exited(let status) = ending else { throw TestFailure("\(arguments) was \(ending)") }
        let errors = try String(contentsOf: folder("errors"))
        return (status, child.output.transcript.map { $0 + "\n" }.joined(), errors)
    }

    /// Returns a pair of sockets, which are used instead of pipes: they are close-on-exec from the start, even if
    /// another thread starts a program, and writing to a closed one raises no signal.
    private static func makePair() throws -> (own: Int32, child: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw TestFailure("socketpair: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }

    /// Starts the program with no signal ignored or blocked, as a service manager does.
    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t,
        _ child: inout pid_t
    ) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        return posix_spawnp(&child, arguments.first ?? "", &actions, &attributes, words, variables)
    }
}

/// Closes all descriptors from `first` on in the program that is started. The Glibc module lacks
/// this GNU function.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
@discardableResult
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32

extension String {
    /// Reads the text of a file. Invalid UTF-8 is repaired.
    fileprivate init(contentsOf path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("cannot open \(path)") }
        let reader = LineReader(adopting: descriptor)
        while reader.next() != nil {}
        self = reader.transcript.map { $0 + "\n" }.joined()
    }
}
