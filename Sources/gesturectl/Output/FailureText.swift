// SPDX-License-Identifier: MIT
import GestureProtocol

/// Why a gesture failed, in few words, from its line: `612 ms > max_time 500 ms`.
///
/// The daemon's message `took 612 ms, max_time is 500 ms` names the key behind its last comma; it
/// is kept as it is where it names none.
enum FailureText {
    static func text(_ event: JSONValue) -> String {
        let message = (event["message"]?.text ?? "").safe
        guard let value = event["value"]?.number, let limit = event["limit"]?.number, value != limit,
            let comma = message.lastIndex(of: ",")
        else { return message }
        let words = message[comma...].dropFirst().split(separator: " ")
        guard words.count > 2, words[1] == "is" else { return message }
        var start = message[..<comma]
        if start.hasPrefix("took ") { start = start.dropFirst("took ".count) }
        return "\(start) \(value > limit ? ">" : "<") \(words[0]) \(words[2...].joined(separator: " "))"
    }
}
