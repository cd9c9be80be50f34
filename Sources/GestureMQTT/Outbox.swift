// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import LinuxSystem

/// What is on its way to the broker.
struct Outbox {
    /// Messages of the spool that the broker may have without having acknowledged them.
    static let window = 16

    /// Live gestures that wait for a broker that takes them.
    var gestures: GestureQueue
    /// The spool's messages by their numbers on this connection.
    var inFlight: [Int32: Int64] = [:]
    /// The last of the spool's messages that was sent on this connection.
    var lastSent: Int64 = 0
    /// Acknowledged, and not yet removed from the spool.
    var acknowledged: [Int64] = []
    /// When the spool is tried again after the broker has refused a message; on the monotonic clock.
    var pause: Int64 = 0

    /// Gestures are tried again in a moment.
    var isRetrying = false

    /// - Parameter maxAge: of gestures, in microseconds.
    init(maxAge: Int64) { gestures = GestureQueue(maxAge: maxAge) }
}

extension Service {
    /// Removing one message costs as much as removing many.
    private static let mostAcknowledged = 64
    /// Before the spool is tried again after a refusal, such as that the broker is full; in microseconds.
    private static let pause: Int64 = 5_000_000

    /// Sends a message that must come soon or not at all.
    func sendLive(_ message: BrokerMessage) {
        outbox.gestures.add(message, now: MonotonicClock.now())
        sendGestures()
    }

    /// Sends what the broker takes now.
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

    /// The kernel does not say when a connection moves again.
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

    /// Publishes a retained message: the broker also gives it to those that subscribe later.
    func publish(retained payload: [UInt8], to topic: String) {
        publish(BrokerMessage(topic: topic, payload: payload, qualityOfService: 1, isRetained: true))
    }

    /// Without a connection it is lost, and so is an answer to a broker that does not acknowledge what it gets.
    func publish(_ message: BrokerMessage) {
        guard message.isRetained || broker.isAcknowledging else { return }
        if case .unsendable(let cause) = broker.publish(message) { Self.log("\(message.topic): \(cause)") }
    }

    func acknowledged(_ number: Int32, refusal: CInt?) {
        guard let id = outbox.inFlight.removeValue(forKey: number) else { return }
        if let refusal {
            // It stays in the spool, and those after it come again too.
            Self.log("the broker refuses a message with reason \(refusal); trying again")
            outbox.lastSent = min(outbox.lastSent, id - 1)
            outbox.pause = MonotonicClock.now() + Self.pause
            return
        }
        outbox.acknowledged.append(id)
        if outbox.inFlight.isEmpty || outbox.acknowledged.count >= Self.mostAcknowledged { flushAcknowledged() }
        // Not at once: the library is in the middle of a packet.
        loop.schedule.tryAgain { [weak self] in self?.sendSpool() }
    }

    func flushAcknowledged() {
        guard !outbox.acknowledged.isEmpty else { return }
        spool.remove(outbox.acknowledged)
        outbox.acknowledged.removeAll()
    }
}
#endif
