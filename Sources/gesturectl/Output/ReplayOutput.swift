// SPDX-License-Identifier: MIT
import GestureProtocol

/// Where the lines of a replay go: numbered, as the socket's bytes or readable, in large writes.
struct ReplayOutput: ~Copyable {
    /// What is gathered for one write.
    private static let block = 1 << 16

    private var formatter: EventFormatter
    private let isReadable: Bool
    private var number: Int64 = 0
    private var output = JSONWriter(capacity: 1 << 17)
    /// One line, for `isReadable`.
    private var line = JSONWriter()

    init(_ formatter: EventFormatter, isReadable: Bool) {
        self.formatter = formatter
        self.isReadable = isReadable
    }

    mutating func write(_ event: borrowing EventLine) {
        number += 1
        if isReadable {
            line.removeAll()
            event.write(number: number, into: &line)
            output.bytes += readable(time: event.timeMicroseconds)
        } else {
            event.write(number: number, into: &output)
        }
        if output.bytes.count >= Self.block { flush() }
    }

    mutating func flush() {
        StandardOutput.write(output.bytes)
        output.removeAll()
    }

    private mutating func readable(time: Int64) -> [UInt8] {
        let bytes = Array(line.bytes.dropLast())
        guard let event = JSONValue(parsing: bytes) else { return bytes }
        return Array(formatter.line(event, time: RecordingTime.text(time)).utf8)
    }
}
