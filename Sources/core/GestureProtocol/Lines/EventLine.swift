// SPDX-License-Identifier: MIT

/// An event, encoded once for all clients.
///
/// `write(number:…)` adds the members that differ between clients: `seq`, and `coalesced` if lines were merged. One
/// value is reused, so that events allocate nothing:
///
/// ```swift
/// line.start(.gesture, subject: 3, phase: .begin, identity: 872)
/// line.body.member("gesture", "press")
/// …
/// line.writeTime(83_912_044_123)
/// server.broadcast(line)
/// ```
package struct EventLine: ~Copyable {
    /// The kind of event.
    package private(set) var event = EventName.gesture
    /// An index into the server's current subjects, or `noSubject`. It is valid only until the server's subjects
    /// change.
    package private(set) var subject = EventLine.noSubject
    /// The clients that may receive the line.
    package private(set) var audience = Audience.everybody
    /// The phase of the gesture.
    package private(set) var phase = LinePhase.none
    /// The number of the active gesture that the line belongs to; for `touches` and `device`, the number of the panel.
    /// Numbers of gestures and panels are not reused while the daemon runs. 0 for all other lines.
    package private(set) var identity: Int64 = 0
    /// The time of the event; 0 for lines without one.
    package private(set) var timeMicroseconds: Int64 = 0
    /// The members after `seq`.
    package var body = JSONWriter()
    /// The line up to the value of `seq`.
    private var head = JSONWriter(capacity: 64)
    /// The offset of `coalesced` in `body`: before `time_us`, or at the end.
    private var coalescedOffset = Int.max

    /// The subject of lines that are not about a panel.
    package static let noSubject = -1

    /// The clients that may receive a line if they have subscribed to it.
    package enum Audience: UInt8, Hashable, Sendable {
        case everybody
        /// Clients with access to private regions.
        case insiders
        /// Clients without access to private regions.
        case outsiders

        /// Whether the audience includes clients with or without access to private regions.
        package func has(seesPrivate: Bool) -> Bool {
            switch self {
            case .everybody: true
            case .insiders: seesPrivate
            case .outsiders: !seesPrivate
            }
        }
    }

    package init() { writeHead() }

    private mutating func writeHead() {
        head.removeAll()
        head.open(UInt8(ascii: "{"))
        head.member("event", event.word)
        head.key("seq")
    }

    /// Whether the line contains data that newer lines do not repeat.
    package var isUnique = false
    /// Whether a newer line of the same event and identity replaces this one.
    package var isMergeable: Bool { (phase == .update || event == .touches) && !isUnique }

    /// Clears the line and sets the properties of the next one.
    package mutating func start(
        _ event: EventName, subject: Int = noSubject, phase: LinePhase = .none, identity: Int64 = 0,
        to audience: Audience = .everybody
    ) {
        if event != self.event {
            self.event = event
            writeHead()
        }
        self.subject = subject
        self.audience = audience
        self.phase = phase
        self.identity = identity
        timeMicroseconds = 0
        isUnique = false
        body.removeAll()
        coalescedOffset = .max
    }

    /// Writes `time_us`. More members may follow.
    package mutating func writeTime(_ time: Int64) {
        coalescedOffset = body.count
        timeMicroseconds = time
        body.member("time_us", time)
    }

    /// Copies `other` into the existing memory.
    package mutating func copy(_ other: borrowing EventLine) {
        start(
            other.event, subject: other.subject, phase: other.phase, identity: other.identity, to: other.audience)
        timeMicroseconds = other.timeMicroseconds
        isUnique = other.isUnique
        coalescedOffset = other.coalescedOffset
        other.body.withBytes { body.append(json: $0) }
    }

    /// Writes the complete line of one client, including its line feed.
    ///
    /// - Parameters:
    ///   - number: the `seq` of the connection.
    ///   - coalesced: the number of lines that were merged into this one; 0 omits the member.
    ///   - wallMilliseconds: the `wall_ms`, for clients that requested it.
    package borrowing func write(
        number: Int64, coalesced: Int64 = 0, wallMilliseconds: Int64? = nil, into json: inout JSONWriter
    ) {
        guard coalesced > 0 || wallMilliseconds != nil else { return json.append(head, number, body) }
        head.withBytes { json.append($0) }
        json.value(number)
        body.withBytes { bytes in
            let offset = coalesced > 0 ? min(coalescedOffset, bytes.count) : 0
            json.append(json: UnsafeBufferPointer(rebasing: bytes[..<offset]))
            if coalesced > 0 { json.member("coalesced", coalesced) }
            json.append(json: UnsafeBufferPointer(rebasing: bytes[offset...]))
        }
        if let wallMilliseconds { json.member("wall_ms", wallMilliseconds) }
        json.endLine()
    }
}
