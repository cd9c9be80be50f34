// SPDX-License-Identifier: MIT
import Glibc

/// Reads lines from a pipe or a socket, with a time limit.
package final class LineReader {
    /// The time in seconds for which a test waits for something that must happen. It only ends tests that hang, because a
    /// test must not depend on the speed of the machine: with twenty programs for each processor, a line takes up to 5 s.
    package static let patience = 40.0

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// All lines so far, for failure reports.
    package private(set) var transcript: [String] = []
    package private(set) var isAtEnd = false
    /// Whether the last line of `transcript` is incomplete because the stream ended.
    private var isLastCut = false

    /// The complete lines so far.
    package var wholeLines: ArraySlice<String> { transcript.dropLast(isLastCut ? 1 : 0) }

    /// Takes ownership of `descriptor`.
    package init(adopting descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The next line without its line feed; `nil` at the end of the stream or after `seconds`.
    package func next(within seconds: Double = patience) -> String? {
        let end = MonotonicSeconds.now + seconds
        while true {
            if let line = takeLine() { return line }
            if isAtEnd || !isReadable(until: end) { return nil }
            readMore()
        }
    }

    /// The next line that `matches`. Lines before it are skipped.
    package func wait(
        for what: String, within seconds: Double = patience, where matches: (String) -> Bool
    ) throws -> String {
        let end = MonotonicSeconds.now + seconds
        while let line = next(within: end - MonotonicSeconds.now) {
            if matches(line) { return line }
        }
        throw TestFailure(
            "no \(what) \(isAtEnd ? "before the end" : "within \(seconds) s"); received:\n"
                + transcript.joined(separator: "\n"))
    }

    /// Reads until the end of the stream.
    package func waitForEnd(within seconds: Double = patience) throws {
        let end = MonotonicSeconds.now + seconds
        while next(within: end - MonotonicSeconds.now) != nil {}
        guard isAtEnd else { throw TestFailure("did not end within \(seconds) s") }
    }

    /// Reads the data that has arrived, without waiting.
    package func readAvailable() {
        while next(within: 0) != nil {}
    }

    private func takeLine() -> String? {
        let end = buffer.firstIndex(of: UInt8(ascii: "\n"))
        guard let end else {
            guard isAtEnd, !buffer.isEmpty else { return nil }
            defer { buffer.removeAll() }
            isLastCut = true
            return remember(buffer[...])
        }
        defer { buffer.removeSubrange(...end) }
        return remember(buffer[..<end])
    }

    private func remember(_ bytes: ArraySlice<UInt8>) -> String {
        let line = String(decoding: bytes, as: UTF8.self)
        transcript.append(line)
        return line
    }

    private func isReadable(until end: Double) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = end - MonotonicSeconds.now
            let result = poll(&entry, 1, Int32(max(0, left * 1000).rounded(.up)))
            if result > 0 { return true }
            if result == 0 || errno != EINTR { return false }
        }
    }

    private func readMore() {
        var block = [UInt8](repeating: 0, count: 65536)
        let count = read(descriptor, &block, block.count)
        if count > 0 {
            buffer.append(contentsOf: block[..<count])
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            isAtEnd = true
        }
    }
}
