// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import CMosquitto
import LinuxSystem

struct BrokerMessage: Hashable {
    var topic: String
    var payload: [UInt8]
    var qualityOfService = 0
    var isRetained = false
    /// The time in seconds after which the broker discards the message; `nil` if it never does.
    var expirySeconds: UInt32?
    /// The type of the payload; `nil` for JSON.
    var contentType: String?
    /// The topic for the answer to a message from the broker.
    var responseTopic: String?
    /// Data that the answer must repeat.
    var correlation: [UInt8]?
    /// Whether the payload was omitted because it is longer than any valid one.
    var isTooLong = false
}

extension BrokerMessage {
    /// The maximum length in bytes of a payload from the broker. The longest payload is a configuration.
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

/// The reason for an error, in words.
struct BrokerError: Error, Hashable {
    var cause: String
    /// Whether only the message is wrong, so that the connection stays open.
    var isOfMessage = false
    /// Whether the broker has sent a packet that this program cannot take. It would send it again.
    var isOfPacket = false
}
#endif
