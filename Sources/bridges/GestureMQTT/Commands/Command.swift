// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureProtocol

/// The commands that the broker may send. Each word is the last level of the command's topic.
enum CommandWord: String, CaseIterable {
    case scene, profile, enable, disable, activity, reload, config, confirm, record

    /// The key of `[commands]` that allows the command.
    var key: String { self == .confirm ? CommandWord.config.rawValue : rawValue }

    func isAllowed(by commands: MQTTSettings.Commands) -> Bool {
        switch self {
        case .scene: commands.scene
        case .profile: commands.profile
        case .enable: commands.enable
        case .disable: commands.disable
        case .activity: commands.activity
        case .reload: commands.reload
        case .config, .confirm: commands.config
        case .record: commands.record
        }
    }
}

/// A command that was received as a message from the broker, with the topic for its answer.
struct Command {
    let word: CommandWord
    let payload: [UInt8]
    /// The payload if it is a JSON object; `nil` for a configuration.
    let json: JSONValue?
    let responseTopic: String
    let correlation: [UInt8]?
    /// The reason why the command is refused without looking at its content; `nil` if it is not refused.
    let complaint: String?

    /// The maximum length of a payload that is parsed here, in bytes.
    static let longestPayload = 65_536
    /// The maximum length of correlation data that an answer repeats, in bytes.
    private static let longestCorrelation = 1024
    private static let longestID = 256
    /// The maximum length of an error's text, in code points.
    private static let longestText = 1000

    init(_ word: CommandWord, _ message: BrokerMessage, _ topics: Topics) {
        self.word = word
        let limit = word == .config ? BrokerMessage.longestPayload : Self.longestPayload
        let isTooLong = message.isTooLong || message.payload.count > limit
        payload = isTooLong ? [] : message.payload
        let value = word == .config ? nil : JSONValue(parsing: payload).flatMap { $0.isObject ? $0 : nil }
        let topic = message.responseTopic.flatMap { topics.mayRespond(to: $0) ? $0 : nil }
        responseTopic = topic ?? topics.response(word.rawValue)
        let isUncorrelated = (message.correlation?.count ?? 0) > Self.longestCorrelation
        correlation = isUncorrelated ? nil : message.correlation
        let hasNull = word != .config && payload.contains(0)
        let isIDTooLong = (value?["id"]?.string?.utf8.count ?? 0) > Self.longestID
        json = isIDTooLong ? nil : value
        complaint =
            if isTooLong {
                "the payload is longer than \(limit >> 10) KiB"
            } else if isUncorrelated {
                "the correlation data is longer than \(Self.longestCorrelation) bytes"
            } else if isIDTooLong {
                "the id is longer than \(Self.longestID) bytes"
            } else if hasNull {
                "the payload contains U+0000"
            } else {
                nil
            }
    }

    /// Returns a member of the object, or the payload itself if it is not an object.
    func text(_ key: String) -> String? {
        if let json { return json[key]?.string }
        return String(validating: payload, as: UTF8.self).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a text or a list of texts.
    func texts(_ key: String) -> GestureClient.JSON? {
        if let list = json?[key]?.array { return .list(list.compactMap { $0.string.map { .text($0) } }) }
        return text(key).map { .text($0) }
    }

    /// Returns the answer `{"command":"scene","ok":true,…}`.
    func success(_ write: (inout JSONWriter) -> Void = { _ in }) -> BrokerMessage {
        answer { json in
            json.member("ok", true)
            write(&json)
        }
    }

    /// Returns the answer `{"command":"scene","ok":false,"error":{…}}`.
    func failure(_ code: String, _ text: String, _ diagnostics: [GestureClient.Diagnostic] = []) -> BrokerMessage {
        answer { json in
            json.member("ok", false)
            json.object("error") { json in
                json.member("code", code)
                // The text is truncated because it may quote the command.
                json.member("message", String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestText))))
                if !diagnostics.isEmpty { json.objects("diagnostics", diagnostics) { $0.write(into: &$1) } }
            }
        }
    }

    func failure(_ error: ClientError) -> BrokerMessage {
        guard case .refused(let refusal) = error else { return failure("unavailable", error.description) }
        return failure(refusal.code.rawValue, refusal.message + Spelling.hint(refusal.suggestion), refusal.diagnostics)
    }

    private func answer(_ write: (inout JSONWriter) -> Void) -> BrokerMessage {
        let payload = Reports.object { json in
            json.member("command", word.rawValue)
            if let id = identifier { json.member("id", id) }
            write(&json)
        }
        return BrokerMessage(topic: responseTopic, payload: payload, qualityOfService: 1, correlation: correlation)
    }

    /// The `id` of the command, which answers repeat because some brokers do not support correlation data.
    private var identifier: String? { json?["id"]?.string ?? json?["id"]?.integer.map { "\($0)" } }
}
#endif
