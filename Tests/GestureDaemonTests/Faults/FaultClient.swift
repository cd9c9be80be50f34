// SPDX-License-Identifier: MIT
import CLinux
import GestureTestSupport
import LinuxSystem
import StreamVerifier

/// A client that may lose its connection at any time. It checks the lines that it receives against the laws.
final class FaultClient {
    private let lines: LineReader
    private let descriptor: Int32
    private var requests: [String] = []

    /// Returns `nil` if the connection fails.
    init?(path: String) {
        guard let socket = try? UnixSocket.connect(path: path) else { return nil }
        descriptor = socket.release()
        lines = LineReader(adopting: descriptor)
    }

    var isAtEnd: Bool { lines.isAtEnd }

    /// Whether the daemon accepted the line.
    func send(_ line: String) -> Bool {
        let bytes = Array((line + "\n").utf8)
        requests.append(line)
        return bytes.withUnsafeBytes { linux_send(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }

    /// Waits for the next line for which `matches` returns `true`. Returns `nil` at the end of the connection, or
    /// when `patience` returns `false`.
    ///
    /// - Parameter patience: called whenever no line has arrived for 20 ms; returns whether to continue waiting.
    func wait(while patience: () -> Bool, where matches: (JSONLine) -> Bool) -> JSONLine? {
        while !lines.isAtEnd {
            if let text = lines.next(within: 0.02) {
                if let line = JSONLine(text), matches(line) { return line }
            } else if !patience() {
                return nil
            }
        }
        return nil
    }

    /// The violations of the laws in the received lines. If the connection ended in the middle of the last line, that
    /// line is ignored.
    func violations() -> [String] {
        var verifier = ConnectionVerifier(configuration: FaultScenario.configuration)
        for request in requests { verifier.sent((request + "\n").utf8) }
        for line in lines.wholeLines { verifier.received((line + "\n").utf8) }
        return verifier.violations.map { "a client received a violation: \($0)" }
    }

    /// All lines received so far.
    var transcript: [String] { lines.transcript }
}
