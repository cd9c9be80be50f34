// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import LinuxSystem

/// The messages that are on their way to the broker.
struct Outbox {
    /// The maximum number of spooled messages that are sent before the broker acknowledges one.
    static let window = 16

    /// Gestures that are waiting until the broker accepts them.
    var gestures: GestureQueue
    /// The ids of the spooled messages that were sent on this connection and are not acknowledged, keyed by message
    /// number.
    var inFlight: [Int32: Int64] = [:]
    /// The id of the last spooled message that was sent on this connection.
    var lastSent: Int64 = 0
    /// The ids of messages that have been acknowledged but not yet removed from the spool.
    var acknowledged: [Int64] = []
    /// The time on the monotonic clock at which spooled messages are sent again after the broker has refused one.
    var pause: Int64 = 0

    /// Whether another attempt to send gestures is scheduled.
    var isRetrying = false
    /// Whether the log has said that the broker refuses messages that are not in the spool.
    var isRefusalTold = false

    /// - Parameter maxAge: the maximum age of gestures, in microseconds.
    init(maxAge: Int64) { gestures = GestureQueue(maxAge: maxAge) }
}

extension Service {
    /// The number of messages that are removed together, because removing one costs as much as removing many.
    private static let mostAcknowledged = 64
    /// The pause in microseconds after the broker has refused a message, for example because it is full.
    private static let pause: Int64 = 5_000_000

    /// Sends a message that must arrive soon or not at all.
    func sendLive(_ message: BrokerMessage) {
        outbox.gestures.add(message, now: MonotonicClock.now())
        sendGestures()
    }

    /// Sends as many messages as the broker accepts now.
    func send() {
        sendGestures()
        sendSpool()
    }

    private func sendGestures() {
        let now = MonotonicClock.now()
        outbox.gestures.expire(now: now)
        while broker.isTaking, let message = outbox.gestures.next(now: now) { publish(message) }
        if !outbox.gestures.isEmpty, broker.isConnected { retryGestures() }
    }

    /// Tries again after a pause, because the kernel does not report when a stalled connection makes progress.
    private func retryGestures() {
        guard !outbox.isRetrying else { return }
        outbox.isRetrying = true
        loop.schedule.tryAgain { [weak self] in
            self?.outbox.isRetrying = false
            self?.sendGestures()
        }
    }

    private func sendSpool() {
        guard MonotonicClock.now() >= outbox.pause else { return }
        while broker.isConnected, outbox.inFlight.count < Outbox.window, let entry = spool.next(after: outbox.lastSent)
        {
            let message = BrokerMessage(
                topic: entry.topic, payload: entry.payload, qualityOfService: 1, isRetained: entry.isRetained)
            switch broker.publish(message) {
            case .sent(let number):
                outbox.inFlight[number] = entry.id
                outbox.lastSent = entry.id
            case .unsendable(let cause):
                Self.log("\(entry.topic): \(cause); the message is dropped")
                spool.drop(entry.id)
            case .noConnection: return
            }
        }
    }

    /// Publishes a retained message, which the broker also sends to later subscribers.
    func publish(retained payload: [UInt8], to topic: String) {
        publish(BrokerMessage(topic: topic, payload: payload, qualityOfService: 1, isRetained: true))
    }

    /// Publishes a message. If there is no connection, the message is lost. A message that is not retained is also lost
    /// while the broker does not acknowledge messages.
    func publish(_ message: BrokerMessage) {
        guard message.isRetained || broker.isAcknowledging else { return }
        if case .unsendable(let cause) = broker.publish(message) { Self.log("\(message.topic): \(cause)") }
    }

    func acknowledged(_ number: Int32, refusal: CInt?) {
        guard let id = outbox.inFlight.removeValue(forKey: number) else {
            if let refusal, !outbox.isRefusalTold {
                outbox.isRefusalTold = true
                Self.log("the broker refuses messages with reason \(refusal); see the list of topics in docs/fleets.md")
            }
            return
        }
        if let refusal {
            // The message stays in the spool. This message and all later ones are sent again.
            Self.log("the broker refused a message with reason \(refusal); trying again")
            outbox.lastSent = min(outbox.lastSent, id - 1)
            outbox.pause = MonotonicClock.now() + Self.pause
            return
        }
        outbox.acknowledged.append(id)
        if outbox.inFlight.isEmpty || outbox.acknowledged.count >= Self.mostAcknowledged { flushAcknowledged() }
        // This is called later, because the library is processing a packet now.
        loop.schedule.tryAgain { [weak self] in self?.sendSpool() }
    }

    func flushAcknowledged() {
        guard !outbox.acknowledged.isEmpty else { return }
        spool.remove(outbox.acknowledged)
        outbox.acknowledged.removeAll()
    }
}
#endif
