// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// A running command of the user, started without a shell, in a process group of its own.
struct ChildCommand {
    /// Between SIGTERM and SIGKILL, in milliseconds.
    private static let grace: CInt = 1000

    private let process: pid_t

    /// - Parameters:
    ///   - words: the program, which is searched in PATH, and its arguments; not empty.
    ///   - input: its standard input: less than a pipe holds (64 KiB).
    ///   - variables: added to the tool's environment; all of them begin with `GESTURE`.
    /// - Throws: `ToolError` 127 when it cannot be started.
    init(_ words: [String], input: [UInt8], variables: [(name: String, value: String)]) throws(ToolError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ToolError(.software, "pipe: \(SystemError.last("pipe").reason)") }
        // The command gets it only as its standard input.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = input.withUnsafeBytes { Glibc.write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        defer { close(ends[0]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.begin(&attributes)

        let arguments = words.map { strdup($0) } + [nil]
        let environment = (Self.inherited() + variables.map { "\($0.name)=\($0.value)" }).map { strdup($0) } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var child = pid_t()
        let code = posix_spawnp(&child, words[0], &actions, &attributes, arguments, environment)
        guard code == 0 else {
            throw ToolError(.notStarted, "\(words[0].safe): \(SystemError(call: "posix_spawnp", code: code).reason)")
        }
        process = child
    }

    /// A group of its own, so that its children can be ended too; no signal blocked or ignored, as a shell starts it.
    private static func begin(_ attributes: inout posix_spawnattr_t) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    }

    /// Its exit status; of one that a signal ended, 128 and the signal's number. nil while it runs.
    func status() -> Int32? {
        var status: Int32 = 0
        let result = waitpid(process, &status, WNOHANG)
        guard result != 0 else { return nil }
        // There is nothing to wait for.
        guard result > 0 else { return errno == EINTR ? nil : 0 }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Ends it and its children: with SIGTERM, and after a second with SIGKILL.
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

    /// The tool's own environment, without the variables of another `gesturectl exec` around it.
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
