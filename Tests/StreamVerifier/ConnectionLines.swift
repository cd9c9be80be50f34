// SPDX-License-Identifier: MIT

/// Cuts a stream of bytes into lines.
package struct LineSplitter {
    private var rest: [UInt8] = []

    package init() {}

    /// The lines that `bytes` complete, without their line feeds. What follows the last of them is kept.
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

/// Both directions of one connection as lines, and which reply answers which request.
package struct ConnectionLines {
    private var requests = LineSplitter()
    private var lines = LineSplitter()
    /// Requests without a reply so far. Replies come in the order of requests.
    private var pending: ArraySlice<[UInt8]> = []

    package init() {}

    /// Takes what the client has sent. Must be called before the reply to it is received.
    package mutating func sent(_ bytes: some Sequence<UInt8>) {
        for line in requests.lines(bytes) {
            let request = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            // Empty lines and comments get no reply.
            if let first = request.first, first != UInt8(ascii: "#") { pending.append(request) }
        }
    }

    /// Takes what the daemon has sent.
    /// - Returns: the lines that it completes, and for each reply its request.
    package mutating func received(_ bytes: some Sequence<UInt8>) -> [(line: [UInt8], request: [UInt8]?)] {
        lines.lines(bytes).map { ($0, $0.starts(with: Self.reply) ? pending.popFirst() : nil) }
    }

    private static let reply = Array("{\"reply\":".utf8)
}
