// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// A command of the user's, started without a shell.
struct ChildCommand {
    private let words: [String]

    /// - Parameter words: the program, found in PATH, and its arguments; not empty.
    init(_ words: [String]) {
        self.words = words
    }

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - input: what it finds on its standard input: less than a pipe holds (64 KiB).
    ///   - variables: what its environment has besides the tool's own.
    /// - Returns: its exit status; of one that a signal ended, 128 and the signal's number.
    /// - Throws: `ToolError` 127 when it cannot be started.
    func run(input: [UInt8], variables: [(name: String, value: String)]) throws(ToolError) -> Int32 {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ToolError(.software, "pipe: \(Self.reason(errno))") }
        _ = input.withUnsafeBytes { Glibc.write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        defer { close(ends[0]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        if ends[0] != STDIN_FILENO { posix_spawn_file_actions_addclose(&actions, ends[0]) }

        let own = Self.inherited(without: variables.map { $0.name + "=" })
        let arguments = CStrings(words)
        let environment = CStrings(own + variables.map { "\($0.name)=\($0.value)" })
        var child = pid_t()
        let code = posix_spawnp(&child, words[0], &actions, nil, arguments.pointers, environment.pointers)
        guard code == 0 else { throw ToolError(.notStarted, "\(words[0].safe): \(Self.reason(code))") }
        return Self.wait(for: child)
    }

    private static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    private static func inherited(without names: [String]) -> [String] {
        var result: [String] = []
        var next = linux_environment()
        while let entry = next?.pointee {
            let text = String(cString: entry)
            if !names.contains(where: { text.hasPrefix($0) }) { result.append(text) }
            next = next?.advanced(by: 1)
        }
        return result
    }

    private static func reason(_ code: Int32) -> String {
        Glibc.strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// Strings as C programs take them: pointers, and a null pointer at the end.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (i, string) in strings.enumerated() { (pointers + i).initialize(to: strdup(string)) }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for i in 0..<count { free(pointers[i]) }
        pointers.deallocate()
    }
}
