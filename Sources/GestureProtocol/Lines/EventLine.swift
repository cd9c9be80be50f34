// SPDX-License-Identifier: MIT

/// One event, encoded once for all clients.
///
/// What differs from client to client is added by `write(number:…)`: `seq`, and `coalesced` where lines were merged.
/// One value is used again and again, so that an event costs no allocation:
///
/// ```swift
/// line.start(.gesture, subject: 3, phase: .begin, identity: 872)
/// line.body.member("gesture", "press")
/// …
/// line.writeTime(83_912_044_123)
/// server.broadcast(line)
/// ```
package struct EventLine: ~Copyable {
    package private(set) var event = EventName.gesture
    /// Index into the subjects that the server was given, or `noSubject`. Of use only to filters, and only until the
    /// server is given others.
    package private(set) var subject = EventLine.noSubject
    package private(set) var audience = Audience.everybody
    package private(set) var phase = LinePhase.none
    /// The number of the gesture under way that the line belongs to, or for `touches` and `device` that of the panel. No
    /// gesture and no panel gets the number of another one while the daemon runs. 0 for all other lines.
    package private(set) var identity: Int64 = 0
    /// The event's own time; 0 for lines without one.
    package private(set) var timeMicroseconds: Int64 = 0
    /// The members after `seq`.
    package var body = JSONWriter()
    /// The line up to the value of `seq`.
    private var head = JSONWriter(capacity: 64)
    /// Where `coalesced` goes in `body`: right before `time_us`, or at the end.
    private var coalescedOffset = Int.max

    /// Of lines that are about no panel.
    package static let noSubject = -1

    /// Who may get a line, if subscribed to it.
    package enum Audience: UInt8, Hashable, Sendable {
        case everybody
        /// Only those who may see private regions.
        case insiders
        /// Only those who may not.
        case outsiders

        /// Whether it has those who may see private regions, or those who may not.
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

    /// It says something that a newer line does not say again.
    package var isUnique = false
    /// Whether a newer line of the same event and identity makes this one worthless.
    package var isMergeable: Bool { (phase == .update || event == .touches) && !isUnique }

    /// Empties the line and says what the next one is.
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

    /// Writes `time_us`. Further members may follow.
    package mutating func writeTime(_ time: Int64) {
        coalescedOffset = body.count
        timeMicroseconds = time
        body.member("time_us", time)
    }

    /// Becomes the same line as `other`, in the memory that is there.
    package mutating func copy(_ other: borrowing EventLine) {
        start(
            other.event, subject: other.subject, phase: other.phase, identity: other.identity, to: other.audience)
        timeMicroseconds = other.timeMicroseconds
        isUnique = other.isUnique
        coalescedOffset = other.coalescedOffset
        other.body.withBytes { body.append(json: $0) }
    }

    /// Writes the whole line with its line feed, as one client gets it.
    ///
    /// - Parameters:
    ///   - number: `seq` of that connection.
    ///   - coalesced: how many lines were merged into this one; 0 leaves the key out.
    ///   - wallMilliseconds: `wall_ms`, for clients that asked for it.
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
