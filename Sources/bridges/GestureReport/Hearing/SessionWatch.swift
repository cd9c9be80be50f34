// SPDX-License-Identifier: MIT

/// Puts touches together to sessions, which end when nobody has touched a panel for some time.
struct SessionWatch {
    private struct Session {
        var quarter: LocalQuarter
        var first: Int64
        var last: Int64
        var touches = 0
        /// The touches in a row that failed, by region.
        var failures: [String: Int] = [:]
    }

    /// The length of the pause that ends a session, in microseconds.
    private let idle: Int64
    private var session: Session?

    init(idle: Int64) { self.idle = idle }

    var isOpen: Bool { session != nil }

    /// Notes a sign of a hand.
    /// - Parameters:
    ///   - isLanding: whether it begins a touch that has not been counted.
    ///   - isHeld: whether a hand has been there since the last sign.
    /// - Returns: the time in microseconds since the last sign of the same session.
    mutating func note(
        at time: Int64, isLanding: Bool, isHeld: Bool, _ quarter: LocalQuarter, into tally: inout QuarterTally
    ) -> Int64 {
        if !isHeld { close(before: time, into: &tally) }
        var open = session ?? Session(quarter: quarter, first: time, last: time)
        let passed = max(0, time - open.last)
        open.last = max(open.last, time)
        if isLanding { open.touches += 1 }
        session = open
        return passed
    }

    /// Ends the session if nothing has been heard for the pause.
    mutating func close(before time: Int64, into tally: inout QuarterTally) {
        guard let open = session, time - open.last >= idle else { return }
        end(open, into: &tally)
    }

    /// Ends the session at once: nothing more will be heard of it.
    mutating func closeNow(into tally: inout QuarterTally) { if let session { end(session, into: &tally) } }

    private mutating func end(_ open: Session, into tally: inout QuarterTally) {
        session = nil
        guard open.touches > 0 else { return }
        let seconds = Int((open.last - open.first + 500_000) / 1_000_000)
        tally.sessions[.init(quarter: open.quarter, seconds: seconds, touches: open.touches), default: 0] += 1
    }

    /// - Returns: whether this was the second failure in a row in this region.
    mutating func noteFailure(in region: String) -> Bool {
        let count = (session?.failures[region] ?? 0) + 1
        session?.failures[region] = count
        return count == 2
    }

    mutating func noteSuccess(in region: String) { session?.failures[region] = nil }

    mutating func forget() { session = nil }
}
