// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import CMosquitto
import LinuxSystem

/// A message to the broker, or from it.
struct BrokerMessage: Hashable {
    var topic: String
    var payload: [UInt8]
    var qualityOfService = 0
    var isRetained = false
    /// After so many seconds the broker discards it; `nil`: never.
    var expirySeconds: UInt32?
    /// `nil`: JSON.
    var contentType: String?
    /// Where an answer goes, of a message from the broker.
    var responseTopic: String?
    /// What an answer repeats.
    var correlation: [UInt8]?
    /// The payload was longer than any that is of use, and is left out.
    var isTooLong = false
}

extension BrokerMessage {
    /// Bytes of a payload from the broker: a configuration.
    static let longestPayload = ConfigurationFiles.largestFile

    init(_ message: mosquitto_message, _ properties: OpaquePointer?, longestPayload: Int) {
        topic = message.topic.map { String(cString: $0) } ?? ""
        isTooLong = Int(message.payloadlen) > longestPayload
        let length = isTooLong ? 0 : Int(max(0, message.payloadlen))
        payload = Array(UnsafeRawBufferPointer(start: message.payload, count: length))
        qualityOfService = Int(message.qos)
        isRetained = message.retain
        var text: UnsafeMutablePointer<CChar>?
        mosquitto_property_read_string(properties, CInt(MQTT_PROP_RESPONSE_TOPIC.rawValue), &text, false)
        responseTopic = text.map { String(cString: $0) }
        free(text)
        var data: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        mosquitto_property_read_binary(properties, CInt(MQTT_PROP_CORRELATION_DATA.rawValue), &data, &count, false)
        correlation = data.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(count))) }
        free(data)
    }
}

/// Why there is no connection to the broker, in words.
struct BrokerError: Error, Hashable {
    var cause: String
    /// The connection stays; what was to be sent is wrong.
    var isOfMessage = false
    /// The broker has sent more than there is memory for.
    var isOfMemory = false
}
#endif
