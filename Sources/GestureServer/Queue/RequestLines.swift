// SPDX-License-Identifier: MIT
import GestureProtocol

/// Splits the bytes from a client into lines.
package struct RequestLines {
    private var bytes: [UInt8] = []
    /// Where the first line begins that was not taken.
    private var start = 0
    /// There is no line feed before this, so that a line that comes in pieces is searched once.
    private var searched = 0

    package init() {}

    /// Bytes that were not taken.
    var byteCount: Int { bytes.count - start }

    /// Appends received bytes.
    package mutating func append(_ chunk: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: chunk)
    }

    /// Whether there is a whole line; skips empty lines and those that begin with `#`.
    package mutating func hasLine() -> Bool {
        while let end = lineEnd() {
            if content(upTo: end).isEmpty == false, bytes[start] != UInt8(ascii: "#") { return true }
            start = end + 1
            searched = start
        }
        compact()
        return false
    }

    /// Takes the line that `hasLine()` has found, without its end.
    package mutating func takeLine() -> [UInt8] {
        guard hasLine(), let end = lineEnd() else { return [] }
        let line = Array(bytes[content(upTo: end)])
        start = end + 1
        searched = start
        return line
    }

    /// Whether the line at the front is longer than the protocol allows, whole or not.
    package var isTooLong: Bool {
        mutating get { (lineEnd() ?? bytes.count) - start >= ProtocolLimits.requestBytes }
    }

    /// The line at the front without `\n` or `\r\n`.
    private func content(upTo end: Int) -> Range<Int> {
        start..<(end > start && bytes[end - 1] == 0x0D ? end - 1 : end)
    }

    private mutating func lineEnd() -> Int? {
        guard searched < bytes.count else { return nil }
        if let end = bytes[searched...].firstIndex(of: 0x0A) {
            searched = end
            return end
        }
        searched = bytes.count
        return nil
    }

    private mutating func compact() {
        guard start > 0 else { return }
        if start == bytes.count {
            // Freed: a client that once sent a long line may stay connected for months.
            if bytes.capacity > 8192 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        } else {
            bytes.removeSubrange(..<start)
        }
        start = 0
        searched = bytes.count
    }
}
