// SPDX-License-Identifier: MIT

/// Cuts a stream of bytes into lines.
package struct LineSplitter {
    private var rest: [UInt8] = []

    package init() {}

    /// Returns the lines that `bytes` complete, without their line feeds, and keeps the remainder for the next call.
    package mutating func lines(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        rest += bytes
        var lines: [[UInt8]] = []
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(Array(rest[start..<end]))
            start = end + 1
        }
        rest.removeFirst(start)
        return lines
    }
}

/// Cuts both directions of a connection into lines, and pairs each reply with its request.
package struct ConnectionLines {
    private var requests = LineSplitter()
    private var lines = LineSplitter()
    /// The requests without a reply, in the order of the replies.
    private var pending: ArraySlice<[UInt8]> = []

    package init() {}

    /// Processes bytes that the client has sent. Call this before the reply to them is passed to `received`.
    package mutating func sent(_ bytes: some Sequence<UInt8>) {
        for line in requests.lines(bytes) {
            let request = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            // Empty lines and comments have no reply.
            if let first = request.first, first != UInt8(ascii: "#") { pending.append(request) }
        }
    }

    /// Processes bytes that the daemon has sent.
    /// - Returns: the lines that the bytes complete, and the request of each reply.
    package mutating func received(_ bytes: some Sequence<UInt8>) -> [(line: [UInt8], request: [UInt8]?)] {
        lines.lines(bytes).map { ($0, $0.starts(with: Self.reply) ? pending.popFirst() : nil) }
    }

    private static let reply = Array("{\"reply\":".utf8)
}
