// SPDX-License-Identifier: MIT

/// One event, written once for all clients.
///
/// What differs from client to client is added when the line is sent: the start with `seq`, and
/// `coalesced` where lines were merged. One value is used again and again, so that an event costs
/// no allocation:
///
/// ```swift
/// line.start(.gesture, subject: 3, phase: .begin, sequence: 872)
/// line.body.append(names)                  // ,"gesture":"press","name":"press"
/// …
/// line.finish(timeMicroseconds: 83912044123)   // ,"time_us":83912044123}
/// server.broadcast(line)
/// ```
package struct EventLine: ~Copyable {
    /// What it is, and who may want it.
    package private(set) var event: EventName
    /// Index into the subjects that the server was given, or one of the three below.
    package private(set) var subject: Int
    package private(set) var phase: LinePhase
    /// Lines that are `isMergeable` merge with those of the same event, subject and sequence. For
    /// `touches`: the number of the device.
    package private(set) var sequence: Int64
    /// The event's own time; 0 for lines without one.
    package private(set) var timeMicroseconds: Int64
    /// Everything after `seq`: starts with a comma, ends with the closing brace once finished.
    package var body: LineBuffer
    /// Where in `body` the key `coalesced` goes: right before `time_us`.
    package private(set) var coalescedOffset: Int

    /// For everybody, as far as the event goes: touches, device, config, frame.
    package static let everybody = -1
    /// For those who may see private regions, and for those who may not.
    package static let insiders = -2
    package static let outsiders = -3

    package init() {
        event = .gesture
        subject = -1
        phase = .none
        sequence = 0
        timeMicroseconds = 0
        body = LineBuffer()
        coalescedOffset = 0
    }

    /// Whether a newer line of the same subject and sequence makes this one worthless.
    @inlinable
    package var isMergeable: Bool { phase == .update || event == .touches }

    /// Empties the line and says what the next one is.
    package mutating func start(
        _ event: EventName, subject: Int = -1, phase: LinePhase = .none, sequence: Int64 = 0
    ) {
        self.event = event
        self.subject = subject
        self.phase = phase
        self.sequence = sequence
        timeMicroseconds = 0
        body.removeAll()
        coalescedOffset = 0
    }

    /// Ends a gesture's line: `,"time_us":…}`.
    package mutating func finish(timeMicroseconds time: Int64) {
        coalescedOffset = body.count
        timeMicroseconds = time
        let key: StaticString = ",\"time_us\":"
        let length = key.utf8CodeUnitCount
        let place = body.place(reserving: length + DecimalText.room)
        place.update(from: key.utf8Start, count: length)
        let end = DecimalText.integer(time, at: place + length)
        end[0] = UInt8(ascii: "}")
        body.commit(to: end + 1)
    }

    /// Remembers the time and the place of `coalesced`, and writes `,"time_us":…`, where further
    /// keys follow (`touches`, `frame`); the caller then writes them and calls `finish()`.
    package mutating func appendTime(_ time: Int64) {
        coalescedOffset = body.count
        timeMicroseconds = time
        body.append(",\"time_us\":")
        body.appendInteger(time)
    }

    /// Ends a line that has its time already, or none (`device`, `config`).
    package mutating func finish() {
        if coalescedOffset == 0 { coalescedOffset = body.count }
        body.append("}")
    }

    /// Becomes the same line as `other`, in the memory that is there.
    package mutating func copy(_ other: borrowing EventLine) {
        event = other.event
        subject = other.subject
        phase = other.phase
        sequence = other.sequence
        timeMicroseconds = other.timeMicroseconds
        coalescedOffset = other.coalescedOffset
        body.removeAll()
        body.append(other.body)
    }

    /// Writes the whole line with its line feed, as one client gets it.
    ///
    /// - Parameters:
    ///   - number: `seq` of that connection.
    ///   - coalesced: how many lines were merged into this one; 0 leaves the key out.
    ///   - wallMilliseconds: `wall_ms`, for clients that asked for it.
    package borrowing func write(
        number: Int64, coalesced: Int64 = 0, wallMilliseconds: Int64? = nil, into line: inout LineBuffer
    ) {
        line.append(event.opening)
        line.appendInteger(number)
        guard coalesced > 0 || wallMilliseconds != nil else {
            line.append(body)
            line.append(0x0A)
            return
        }
        body.withBytes { bytes in
            let offset = min(coalescedOffset, bytes.count)
            line.append(UnsafeBufferPointer(rebasing: bytes[..<offset]))
            if coalesced > 0 {
                line.append(",\"coalesced\":")
                line.appendInteger(coalesced)
            }
            line.append(UnsafeBufferPointer(rebasing: bytes[offset..<max(offset, bytes.count - 1)]))
        }
        if let wallMilliseconds {
            line.append(",\"wall_ms\":")
            line.appendInteger(wallMilliseconds)
        }
        line.append("}\n")
    }
}
