// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem
import StreamVerifier
import Testing

/// A client of the daemon that verifies every line.
package final class SocketClient {
    package let lines: LineReader
    private let descriptor: Int32
    private let configuration: String
    private var requests: [String] = []

    /// - Parameter configuration: the daemon's configuration. Positions must lie on the outputs whose sizes it states.
    package init(path: String, configuration: String = "") throws {
        let socket = try UnixSocket.connect(path: path)
        descriptor = socket.release()
        lines = LineReader(adopting: descriptor)
        self.configuration = configuration
    }

    /// Verifies every line that has arrived, including those that the test has not read.
    deinit {
        lines.readAvailable()
        var verifier = ConnectionVerifier(configuration: configuration)
        for request in requests { verifier.sent((request + "\n").utf8) }
        for line in lines.wholeLines { verifier.received((line + "\n").utf8) }
        for violation in verifier.violations { Issue.record("a client received a violation: \(violation)") }
    }

    package func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard bytes.withUnsafeBytes({ linux_send(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
            throw TestFailure("the daemon does not accept \"\(line)\"")
        }
        requests.append(line)
    }

    /// Sends a request, and returns its reply. Events before it are skipped.
    @discardableResult
    package func request(_ line: String) throws -> JSONLine {
        try send(line)
        return try wait(for: "reply to \(line)") { $0.description.hasPrefix("{\"reply\":") }
    }

    /// The next line that `matches`.
    package func wait(
        for what: String, within seconds: Double = LineReader.patience, where matches: (JSONLine) -> Bool
    ) throws -> JSONLine {
        var found: JSONLine?
        _ = try lines.wait(for: what, within: seconds) { text in
            guard let line = JSONLine(text), matches(line) else { return false }
            found = line
            return true
        }
        guard let found else { throw TestFailure("no \(what)") }
        return found
    }

    /// The next line with this `summary`, such as `gesture press begin ok`.
    @discardableResult
    package func wait(for summary: String) throws -> JSONLine {
        try wait(for: "\"\(summary)\"") { $0.summary == summary }
    }

    /// The summaries of the next lines, up to and including `last`.
    package func summaries(to last: String) throws -> [String] {
        let first = lines.transcript.count
        try wait(for: last)
        return lines.transcript[first...].map { JSONLine($0)?.summary ?? $0 }
    }
}
