// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import CMosquitto
import LinuxSystem

/// A message to or from the broker.
struct BrokerMessage: Hashable {
    var topic: String
    var payload: [UInt8]
    var qualityOfService = 0
    var isRetained = false
    /// The time in seconds after which the broker discards it; `nil`: never.
    var expirySeconds: UInt32?
    /// `nil`: JSON.
    var contentType: String?
    /// For a message from the broker: the topic of the answer.
    var responseTopic: String?
    /// The data that an answer repeats.
    var correlation: [UInt8]?
    /// Whether the payload was left out, because it is longer than any useful one.
    var isTooLong = false
}

extension BrokerMessage {
    /// The longest payload from the broker in bytes: that of a configuration.
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

/// The reason why there is no connection to the broker, in words.
struct BrokerError: Error, Hashable {
    var cause: String
    /// Whether the connection persists, because only the message was wrong.
    var isOfMessage = false
    /// Whether the broker has sent more than the memory allows.
    var isOfMemory = false
}
#endif
