// SPDX-License-Identifier: MIT
import GestureClient
import GestureMQTTSettings
import GestureProtocol

/// What the broker may ask for: the last level of its topic.
enum CommandWord: String, CaseIterable {
    case scene, enable, disable, reload, config, confirm, record

    func isAllowed(by commands: MQTTSettings.Commands) -> Bool {
        switch self {
        case .scene: commands.scene
        case .enable: commands.enable
        case .disable: commands.disable
        case .reload: commands.reload
        case .config, .confirm: commands.config
        case .record: commands.record
        }
    }
}

/// One message of the broker, and where its answer goes.
struct Command {
    let word: CommandWord
    let payload: [UInt8]
    /// The payload, if it is an object.
    let json: JSONValue?
    let responseTopic: String
    let correlation: [UInt8]?

    init(_ word: CommandWord, _ message: BrokerMessage, _ topics: Topics) {
        self.word = word
        payload = message.payload
        json = JSONValue(parsing: message.payload).flatMap { $0.isObject ? $0 : nil }
        // An answer to a topic with wildcards would end the connection.
        let isTopic = message.responseTopic.map { !$0.isEmpty && !$0.contains("+") && !$0.contains("#") } ?? false
        responseTopic = isTopic ? message.responseTopic ?? "" : topics.response(word.rawValue)
        correlation = message.correlation
    }

    /// A member of the object, or the payload itself if it is none.
    func text(_ key: String) -> String? {
        if let json { return json[key]?.string }
        return String(validating: payload, as: UTF8.self).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A text or a list of texts.
    func texts(_ key: String) -> GestureClient.JSON? {
        if let list = json?[key]?.array { return .list(list.compactMap { $0.string.map { .text($0) } }) }
        return text(key).map { .text($0) }
    }

    /// `{"command":"scene","ok":true,…}`
    func success(_ write: (inout JSONWriter) -> Void = { _ in }) -> BrokerMessage {
        answer { json in
            json.member("ok", true)
            write(&json)
        }
    }

    /// `{"command":"scene","ok":false,"error":{…}}`
    func failure(_ code: String, _ text: String, _ diagnostics: [GestureClient.Diagnostic] = []) -> BrokerMessage {
        answer { json in
            json.member("ok", false)
            json.object("error") { json in
                json.member("code", code)
                json.member("message", text)
                guard !diagnostics.isEmpty else { return }
                json.array("diagnostics") { json in
                    for diagnostic in diagnostics { json.object { Reports.write(diagnostic, into: &$0) } }
                }
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

    /// For brokers without correlation data.
    private var identifier: String? { json?["id"]?.string ?? json?["id"]?.integer.map { "\($0)" } }
}
