// SPDX-License-Identifier: MIT
#if MQTT

/// Decides how to continue after messages from the broker that this program cannot take: they are too large, or malformed.
struct BrokerExcess {
    /// The end of the line that is logged when such a message has ended the connection.
    static let consequence = "; its session for this panel will be discarded"
    /// Subscribing is paused after this number of consecutive messages. The first message may come from the session,
    /// which is then discarded. If the message arrives again, the broker has retained it and sends it after each
    /// subscription.
    private static let mostInRow = 2
    /// The duration of the pause, in microseconds.
    private static let pause: Int64 = 600_000_000

    /// Whether the broker must discard the session of this client, because it would send the message again otherwise.
    private(set) var needsFreshSession = false
    private var inRow = 0
    private var last: Int64 = 0

    /// Records that a connection has ended because of such a message.
    /// - Parameter now: the time on the monotonic clock, in microseconds.
    mutating func happened(now: Int64) {
        inRow = inRow > 0 && now - last < Self.pause ? inRow + 1 : 1
        (last, needsFreshSession) = (now, true)
    }

    /// Records that the broker has accepted a connection.
    mutating func connected() { needsFreshSession = false }

    func maySubscribe(now: Int64) -> Bool { inRow < Self.mostInRow || now - last >= Self.pause }
}
#endif
