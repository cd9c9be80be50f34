// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import CLinux
import CMosquitto
import GestureEngine
import LinuxSystem

/// One connection of libmosquitto, from its first packet to its last. Each connection has its own handle.
///
/// A handle is used by one thread at a time: first by the thread that connects, then by the thread of the loop.
final class BrokerHandle: @unchecked Sendable {
    /// Functions that are called while the library reads and writes.
    struct Callbacks {
        /// Called when the broker has accepted the connection (0) or refused it (with a reason code of MQTT).
        var answered: (CInt) -> Void = { _ in }
        /// Called when the broker has acknowledged or refused the message with this number.
        var acknowledged: (Int32, CInt) -> Void = { _, _ in }
        var received: (BrokerMessage) -> Void = { _ in }
    }

    /// The requested size of the kernel's send buffer. The kernel doubles it.
    private static let sendBuffer: CInt = 16_384

    /// The maximum total size of a topic and its properties, in bytes.
    private static let largestHead = 65_536
    /// The maximum size of a payload for the commands that the settings allow, in bytes.
    private let largestPayload: Int

    let isVersionFive: Bool
    var callbacks = Callbacks()
    private let mosquitto: OpaquePointer
    /// Looks at what the broker sends with MQTT 5. Without TLS, `relay` passes it to the library. With TLS, the gate of the
    /// library's TLS connection holds back what has not been looked at.
    private var inspector = PacketInspector()
    private var relay: BrokerRelay?
    private var hasGate = false
    /// The longest record of TLS.
    private var record = [UInt8](repeating: 0, count: 16_384)
    /// The number of bytes of the current record that have been looked at, but not read by the library.
    private var inspected = 0
    /// The last error message of the library.
    private var complaint = ""
    private let allowance = ReadingAllowance()
    /// The sizes in bytes of messages with QoS 1 or 2 that the broker has not acknowledged, keyed by message number.
    private var unacknowledged: [Int32: Int] = [:]
    /// The sum of these sizes. The library holds the messages in memory.
    private(set) var unacknowledgedBytes = 0

    /// - Parameter isFresh: whether the broker discards the session of this client.
    /// - Throws: `BrokerError` for settings that the library rejects, such as a certificate that cannot be read.
    init(
        _ settings: MQTTSettings, isVersionFive: Bool, isFresh: Bool, will: (topic: String, payload: [UInt8])?
    ) throws(BrokerError) {
        _ = Self.startLibrary
        self.isVersionFive = isVersionFive
        largestPayload = settings.commands.config ? BrokerMessage.longestPayload : Command.longestPayload
        // No session at the broker is needed if there are no commands.
        guard let made = mosquitto_new(settings.clientID, isFresh || !settings.hasCommands, nil) else {
            throw BrokerError(cause: "out of memory")
        }
        mosquitto = made
        mosquitto_user_data_set(mosquitto, Unmanaged.passUnretained(self).toOpaque())
        let version = isVersionFive ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(mosquitto, MOSQ_OPT_PROTOCOL_VERSION, CInt(version)))
        try check(mosquitto_int_option(mosquitto, MOSQ_OPT_TCP_NODELAY, 1))
        if let user = settings.broker.user {
            try check(mosquitto_username_pw_set(mosquitto, user, try settings.broker.password?.read()))
        }
        if let tls = settings.tls { try secure(tls) }
        if let will {
            try check(
                mosquitto_will_set(mosquitto, will.topic, CInt(will.payload.count), will.payload, 1, true))
        }
        listen()
    }

    deinit {
        mosquitto_destroy(mosquitto)
    }

    /// Initializes the library once; nothing has to be undone at the end of the program.
    private static let startLibrary: Void = { _ = mosquitto_lib_init() }()

    private func secure(_ tls: MQTTSettings.TLS) throws(BrokerError) {
        if let identity = tls.pskIdentity, let psk = tls.psk {
            return try check(mosquitto_tls_psk_set(mosquitto, try psk.read(), identity, nil))
        }
        if tls.ca == nil { try check(mosquitto_int_option(mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1)) }
        if tls.ca != nil || tls.certificate != nil {
            try check(
                mosquitto_tls_set(
                    mosquitto, tls.ca, tls.ca == nil ? "/etc/ssl/certs" : nil, tls.certificate, tls.key, nil))
        }
    }

    /// Resolves the broker's name and connects. Call this on a separate thread, because it may take minutes.
    func connect(_ settings: MQTTSettings) throws(BrokerError) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if isVersionFive {
            mosquitto_property_add_int32(
                &properties, CInt(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue),
                UInt32(clamping: largestPayload + Self.largestHead))
        }
        if isVersionFive, settings.hasCommands {
            let seconds = UInt32(clamping: settings.broker.sessionExpiry.microseconds / 1_000_000)
            mosquitto_property_add_int32(&properties, CInt(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), seconds)
        }
        let keepalive = CInt(clamping: settings.broker.keepalive.microseconds / 1_000_000)
        try check(
            mosquitto_connect_bind_v5(
                mosquitto, settings.broker.host, CInt(settings.port), keepalive, nil, properties))
        let patience = UInt32(clamping: settings.broker.timeout.wholeMilliseconds)
        _ = mqtt_limit_socket(mosquitto_socket(mosquitto), patience, Self.sendBuffer)
        guard isVersionFive else { return }
        if let ssl = mosquitto_ssl_get(mosquitto) {
            hasGate = tls_gate_install(ssl)
        } else {
            do throws(SystemError) {
                relay = try BrokerRelay(mosquitto_socket(mosquitto))
            } catch {
                throw BrokerError(cause: error.description)
            }
        }
    }

    // MARK: calls on the thread of the loop

    /// The descriptor of the connection; -1 if it is closed.
    var descriptor: CInt {
        let own = mosquitto_socket(mosquitto)
        return own < 0 ? -1 : relay?.broker.rawValue ?? own
    }

    var wantsToWrite: Bool { mosquitto_want_write(mosquitto) || relay?.hasUnsent == true }

    /// Whether the kernel is retransmitting data that the broker's machine has not acknowledged.
    var isStalled: Bool { mqtt_is_stalled(descriptor) }

    /// - Throws: an error if the connection is lost.
    func read() throws(BrokerError) {
        if let relay {
            guard let bytes = try relay.receive() else { return }
            try inspector.look(at: bytes)
            try relay.pass(bytes)
            try readAll { mqtt_unread(mosquitto_socket(mosquitto)) }
            try relay.send()
        } else if hasGate, let ssl = mosquitto_ssl_get(mosquitto) {
            let count = Int(tls_peek(ssl, &record, CInt(record.count)))
            if count < 0 { return try readSome() }
            guard count > 0 else { return }
            try inspector.look(at: record[min(inspected, count)..<count])
            tls_gate_close(true)
            defer { tls_gate_close(false) }
            // The library frees its TLS connection when it closes the connection.
            func pending() -> CInt { mosquitto_ssl_get(mosquitto).map { tls_pending($0) } ?? 0 }
            try readAll(pending)
            inspected = Int(pending())
        } else {
            try readSome()
        }
    }

    /// Lets the library read until it has read everything that has been looked at.
    private func readAll(_ unread: () -> CInt) throws(BrokerError) {
        var before: CInt
        repeat {
            before = unread()
            try readSome()
        } while unread() > 0 && unread() < before
    }

    private func readSome() throws(BrokerError) {
        allowance.begin()
        let code = mosquitto_loop_read(mosquitto, 1)
        allowance.end()
        if code == CInt(MOSQ_ERR_NOMEM.rawValue) {
            throw BrokerError(cause: "the broker has sent a message that is too large", isOfPacket: true)
        }
        try check(code)
    }

    func write() throws(BrokerError) {
        try relay?.send()
        guard relay?.hasUnsent != true else { return }
        try check(mosquitto_loop_write(mosquitto, 1))
        try relay?.send()
    }

    /// Sends a keep-alive packet if it is due.
    func keepAlive() throws(BrokerError) {
        try check(mosquitto_loop_misc(mosquitto))
        try relay?.send()
    }

    /// - Returns: the number that is passed to `acknowledged`. With QoS 0, this happens when the message has been
    ///   written.
    func publish(_ message: BrokerMessage) throws(BrokerError) -> Int32 {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if isVersionFive {
            mosquitto_property_add_string(
                &properties, CInt(MQTT_PROP_CONTENT_TYPE.rawValue), message.contentType ?? "application/json")
            if let expiry = message.expirySeconds {
                mosquitto_property_add_int32(&properties, CInt(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
            }
            if let correlation = message.correlation {
                mosquitto_property_add_binary(
                    &properties, CInt(MQTT_PROP_CORRELATION_DATA.rawValue), correlation,
                    UInt16(clamping: correlation.count))
            }
        }
        var number: CInt = 0
        try check(
            mosquitto_publish_v5(
                mosquitto, &number, message.topic, CInt(message.payload.count), message.payload,
                CInt(message.qualityOfService), message.isRetained, properties))
        if message.qualityOfService > 0 {
            unacknowledged[number] = message.payload.count
            unacknowledgedBytes += message.payload.count
        }
        try relay?.send()
        return number
    }

    func subscribe(_ topics: [String]) throws(BrokerError) {
        // Retained messages are excluded, because they may be old, and old commands must not be carried out.
        let options = isVersionFive ? CInt(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue) : 0
        let texts = topics.map { strdup($0) }
        defer { for text in texts { free(text) } }
        try check(mosquitto_subscribe_multiple(mosquitto, nil, CInt(texts.count), texts, 1, options, nil))
        try relay?.send()
    }

    /// Disconnects without publishing the will.
    func disconnect() {
        _ = mosquitto_disconnect_v5(mosquitto, 0, nil)
        try? relay?.send()
    }

    private func check(_ code: CInt) throws(BrokerError) {
        guard code != CInt(MOSQ_ERR_SUCCESS.rawValue) else { return }
        let errno = linux_errno()
        let words = mosquitto_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let isSystem = code == CInt(MOSQ_ERR_ERRNO.rawValue)
        let reason = isSystem ? SystemError(call: "connect", code: errno).reason : words
        let detail = complaint.isEmpty ? "" : " (\(complaint))"
        complaint = ""
        let ofMessages = [
            MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_INVAL,
            MOSQ_ERR_QOS_NOT_SUPPORTED, MOSQ_ERR_RETAIN_NOT_SUPPORTED,
        ]
        throw BrokerError(
            cause: reason + detail, isOfMessage: ofMessages.contains { $0.rawValue == code })
    }
}

// MARK: - callbacks of the library

extension BrokerHandle {
    private static func of(_ object: UnsafeMutableRawPointer?) -> BrokerHandle? {
        object.map { Unmanaged<BrokerHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func call(_ object: UnsafeMutableRawPointer?, _ body: (BrokerHandle) -> Void) {
        guard let handle = of(object) else { return }
        handle.allowance.lifted { body(handle) }
    }

    private func listen() {
        mosquitto_connect_v5_callback_set(mosquitto) { _, object, reason, _, _ in
            BrokerHandle.call(object) { $0.callbacks.answered(reason) }
        }
        mosquitto_publish_v5_callback_set(mosquitto) { _, object, number, reason, _ in
            BrokerHandle.call(object) { handle in
                handle.unacknowledgedBytes -= handle.unacknowledged.removeValue(forKey: number) ?? 0
                handle.callbacks.acknowledged(number, reason)
            }
        }
        mosquitto_message_v5_callback_set(mosquitto) { _, object, message, properties in
            guard let message else { return }
            BrokerHandle.call(object) { handle in
                handle.callbacks.received(
                    BrokerMessage(message.pointee, properties, longestPayload: handle.largestPayload))
            }
        }
        mosquitto_log_callback_set(mosquitto) { _, object, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            BrokerHandle.call(object) { $0.complaint = String(cString: text) }
        }
    }
}

extension MQTTSettings {
    var hasCommands: Bool { CommandWord.allCases.contains { $0.isAllowed(by: commands) } }
}
#endif
