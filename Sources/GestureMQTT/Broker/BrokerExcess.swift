// SPDX-License-Identifier: MIT
#if MQTT

/// Decides how to go on after messages from the broker that were too large for this program.
struct BrokerExcess {
    /// Why the connection has ended.
    static let cause =
        "the broker has sent a message that is too large; it is asked to forget what waits for this panel"
    /// The first may wait in the session, which is begun anew. One that comes again is retained, and comes with each
    /// subscription.
    private static let mostInRow = 2
    /// How long nothing is subscribed to then, in microseconds.
    private static let pause: Int64 = 600_000_000

    /// Whether the broker must forget what it keeps for this client: it would send the message again.
    private(set) var needsFreshSession = false
    private var inRow = 0
    private var last: Int64 = 0

    /// A connection has ended because of such a message.
    /// - Parameter now: on the monotonic clock, in microseconds.
    mutating func happened(now: Int64) {
        inRow = inRow > 0 && now - last < Self.pause ? inRow + 1 : 1
        (last, needsFreshSession) = (now, true)
    }

    /// The broker has accepted a connection.
    mutating func connected() { needsFreshSession = false }

    func maySubscribe(now: Int64) -> Bool { inRow < Self.mostInRow || now - last >= Self.pause }
}
#endif
