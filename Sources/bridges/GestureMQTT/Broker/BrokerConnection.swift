// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import CLinux
import CMosquitto
import GestureClient
import GestureEngine
import LinuxSystem

/// Maintains a connection to the broker. It connects on a separate thread, waits for a random time before each new
/// attempt, and falls back to MQTT 3.1.1. A connection must be used only on the thread of its loop.
final class BrokerConnection {
    struct Callbacks {
        /// Returns the message that the broker publishes when the connection is lost.
        var will: () -> (topic: String, payload: [UInt8])? = { nil }
        var connected: () -> Void = {}
        /// Receives the reason for a failure. Another attempt to connect is made automatically.
        var lost: (_ cause: String) -> Void = { _ in }
        /// Called when the broker has received the message with this number, or has refused it with a reason code.
        var acknowledged: (_ number: Int32, _ refusal: CInt?) -> Void = { _, _ in }
        var received: (BrokerMessage) -> Void = { _ in }
        /// Called when all published messages have been written.
        var drained: () -> Void = {}
    }

    private enum State {
        /// The timer is running until the next attempt.
        case waiting
        case connecting(Attempt, BackgroundWork<BrokerAttempt>)
        /// The broker has not answered yet.
        case greeting(BrokerHandle)
        case connected(BrokerHandle)
        case stopped
    }

    /// If more bytes than this are unacknowledged, gestures are held back and answers are dropped.
    private static let mostWaiting = 1 << 20
    /// The maximum number of unacknowledged bytes of a connection. It is enough to announce 10 000 regions to Home
    /// Assistant.
    private static let mostUnacknowledged = 16 << 20
    /// The interval in microseconds between checks for a keep-alive packet that is due.
    private static let misc: Int64 = 2_500_000

    var callbacks = Callbacks()
    private let settings: MQTTSettings
    private let loop: EventLoop
    private var state = State.stopped
    private var source: EventLoop.Source?
    private var timer: DeadlineTimer?
    /// The deadline for the broker's answer, in microseconds.
    private var deadline: Int64 = 0
    private var backoff: GestureClient.Backoff
    /// Whether this broker has refused MQTT 5.
    private var isOld = false
    /// The number of consecutive connections that ended before the broker had answered.
    private var silent = 0
    /// The reason why the broker refused this connection.
    private var refusal: String?
    /// Whether the broker has accepted the connection, but the service was not notified yet. The library must
    /// not be called from its own callbacks, so the notification waits until it has returned.
    private var justConnected = false
    private var excess = BrokerExcess()

    /// Creates an object that does not connect yet.
    init(_ settings: MQTTSettings, loop: EventLoop) throws(SystemError) {
        self.settings = settings
        self.loop = loop
        backoff = Self.backoff(settings)
        let this = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().tick() }
    }

    deinit {
        if let source { loop.remove(source) }
    }

    /// Returns a backoff with a completely random delay, so that ten thousand panels that are switched on together do
    /// not all connect at the same time.
    private static func backoff(_ settings: MQTTSettings) -> GestureClient.Backoff {
        GestureClient.Backoff(
            first: .seconds(2), most: .microseconds(settings.broker.retry.microseconds), spread: 1)
    }

    var isConnected: Bool { if case .connected = state { true } else { false } }

    /// Whether a message that is sent now would leave immediately: none is queued here, and the broker's machine is
    /// responding.
    var isTaking: Bool {
        guard case .connected(let handle) = state else { return false }
        return !handle.wantsToWrite && !handle.isStalled && handle.unacknowledgedBytes < Self.mostWaiting
    }

    /// Whether the broker is acknowledging messages, so that answers may be sent.
    var isAcknowledging: Bool {
        if case .connected(let handle) = state { handle.unacknowledgedBytes < Self.mostWaiting } else { false }
    }

    /// Whether subscribing is allowed now. It is paused after several connections ended because of a message that
    /// followed the subscription.
    var maySubscribe: Bool { excess.maySubscribe(now: MonotonicClock.now()) }

    /// Connects after a random delay.
    func start() { wait() }

    /// The result of publishing a message.
    enum Outcome: Hashable {
        /// The message was sent. Its number is passed to `acknowledged` later.
        case sent(Int32)
        case noConnection
        /// The message is too large for the broker, or its topic is invalid.
        case unsendable(cause: String)
    }

    func publish(_ message: BrokerMessage) -> Outcome {
        guard case .connected(let handle) = state else { return .noConnection }
        do throws(BrokerError) {
            let number = try handle.publish(message)
            updateInterest(handle)
            guard handle.unacknowledgedBytes <= Self.mostUnacknowledged else {
                lose("the broker does not acknowledge messages")
                return .noConnection
            }
            return .sent(number)
        } catch {
            if error.isOfMessage { return .unsendable(cause: error.cause) }
            lose(error.cause)
            return .noConnection
        }
    }

    func subscribe(_ topics: [String]) {
        guard case .connected(let handle) = state else { return }
        do throws(BrokerError) { try handle.subscribe(topics) } catch { return lose(error.cause) }
        updateInterest(handle)
    }

    /// Disconnects. No callback is called after this.
    func stop() {
        callbacks = Callbacks()
        if case .connected(let handle) = state {
            handle.disconnect()
            try? handle.write()
        }
        close()
        state = .stopped
        timer?.cancel()
    }

    // MARK: connecting

    private func wait() {
        state = .waiting
        let microseconds = backoff.delay() / .microseconds(1)
        timer?.arm(at: MonotonicClock.now() + Int64(microseconds))
    }

    private func tick() {
        let now = MonotonicClock.now()
        switch state {
        case .waiting: connect()
        case .connecting:
            // The attempt continues until the kernel ends it, and no other attempt is started before that. Otherwise,
            // after a long outage, each connection would end the session of the one before it.
            callbacks.lost("no connection within \(settings.broker.timeout.seconds) s")
        case .greeting: if now >= deadline { fail("the broker does not answer") }
        case .connected(let handle):
            do throws(BrokerError) { try handle.keepAlive() } catch { return lose(error.cause) }
            updateInterest(handle)
            timer?.arm(at: now + Self.misc)
        case .stopped: break
        }
    }

    private func connect() {
        let isVersionFive = settings.broker.version == .five || (settings.broker.version == .automatic && !isOld)
        let attempt = Attempt()
        let (settings, will, isFresh) = (settings, callbacks.will(), excess.needsFreshSession)
        do throws(SystemError) {
            let work = try BackgroundWork(loop: loop) {
                attempt.run(settings, isVersionFive: isVersionFive, isFresh: isFresh, will: will)
            } completed: { [weak self] in
                self?.finish($0)
            }
            state = .connecting(attempt, work)
            timer?.arm(at: MonotonicClock.now() + settings.broker.timeout.microseconds)
        } catch {
            fail(error.description)
        }
    }

    private func finish(_ attempt: BrokerAttempt) {
        switch attempt {
        case .failed(let error): fail(error.cause)
        case .connected(let handle): greet(handle)
        }
    }

    private func greet(_ handle: BrokerHandle) {
        state = .greeting(handle)
        deadline = MonotonicClock.now() + settings.broker.timeout.microseconds
        let this = Unmanaged.passUnretained(self)
        handle.callbacks.answered = { reason in this.takeUnretainedValue().answer(reason) }
        handle.callbacks.acknowledged = { number, reason in
            this.takeUnretainedValue().callbacks.acknowledged(number, reason >= 0x80 ? reason : nil)
        }
        handle.callbacks.received = { message in this.takeUnretainedValue().callbacks.received(message) }
        do throws(SystemError) {
            source = try loop.add(handle.descriptor, events: [.readable, .writable]) { events in
                this.takeUnretainedValue().turn(events)
            }
            timer?.arm(at: deadline)
        } catch {
            fail(error.description)
        }
    }

    private func answer(_ reason: CInt) {
        guard case .greeting(let handle) = state else { return }
        guard reason == 0 else {
            let words = handle.isVersionFive ? mosquitto_reason_string(reason) : mosquitto_connack_string(reason)
            // Brokers that support only MQTT 3.1.1 answer with 1.
            if handle.isVersionFive, reason == 1 || reason == CInt(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue) {
                isOld = true
            }
            refusal = "refused: " + (words.map { String(cString: $0) } ?? "reason \(reason)")
            return
        }
        silent = 0
        excess.connected()
        backoff.reset()
        state = .connected(handle)
        justConnected = true
        timer?.arm(at: MonotonicClock.now() + Self.misc)
    }

    private var handle: BrokerHandle? {
        switch state {
        case .greeting(let handle), .connected(let handle): handle
        default: nil
        }
    }

    private func turn(_ events: IOEvents) {
        guard let handle else { return }
        do throws(BrokerError) {
            // This reads even if only writing is possible, because TLS reads and writes in its own order.
            try handle.read()
            if handle.wantsToWrite { try handle.write() }
        } catch {
            guard error.isOfPacket, isConnected else { return lose(refusal ?? error.cause) }
            excess.happened(now: MonotonicClock.now())
            return lose(error.cause + BrokerExcess.consequence)
        }
        if let refusal { return lose(refusal) }
        if handle.descriptor < 0 { return lose("the broker has closed the connection") }
        if justConnected {
            justConnected = false
            callbacks.connected()
        }
        guard self.handle === handle else { return }
        updateInterest(handle)
        if isConnected, !handle.wantsToWrite { callbacks.drained() }
    }

    private func updateInterest(_ handle: BrokerHandle) {
        guard let source else { return }
        try? loop.modify(source, events: handle.wantsToWrite ? [.readable, .writable] : .readable)
    }

    // MARK: the end of a connection

    private func lose(_ cause: String) {
        if case .greeting(let handle) = state {
            silent += 1
            // Some brokers close the connection without an answer if they do not support the version.
            if refusal == nil, handle.isVersionFive, silent >= 3 { isOld = true }
            return fail(cause)
        }
        fail(cause)
    }

    private func fail(_ cause: String) {
        close()
        wait()
        callbacks.lost(cause)
    }

    private func close() {
        (refusal, justConnected) = (nil, false)
        if let source { loop.remove(source) }
        source = nil
        if case .connecting(let attempt, let work) = state, attempt.abandon() { work.abandon() }
        guard let handle else { return }
        handle.callbacks = BrokerHandle.Callbacks()
        // The handle is released later, because this code may be running in one of the library's callbacks.
        loop.schedule.tryAgain { withExtendedLifetime(handle) {} }
        state = .waiting
    }
}
#endif
