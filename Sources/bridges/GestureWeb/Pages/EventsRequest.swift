// SPDX-License-Identifier: MIT
#if Web
import GestureProtocol

/// The subscription in the address of an event stream: `/events?events=gesture,failed&regions=map*`.
enum EventsRequest {
    /// The keys of `subscribe` that an address can contain. The words of a key's value are separated by commas.
    private static let lists = ["events", "regions", "devices", "gestures", "names", "phases"]

    /// Returns the request for the daemon; it is empty if all events are wanted. The daemon checks the words. If one is
    /// invalid, its reply becomes a line of the stream.
    /// - Returns: `nil` for an unknown key.
    static func line(_ query: [(name: String, value: String)]) -> [UInt8]? {
        if query.isEmpty { return [] }
        guard query.allSatisfy({ lists.contains($0.name) }) else { return nil }
        return JSONWriter.line { json in
            json.member("cmd", CommandName.subscribe.rawValue)
            for list in lists {
                let words = query.filter { $0.name == list }.flatMap { $0.value.split(separator: ",") }
                guard !words.isEmpty else { continue }
                json.key(named: list)
                json.array { json in
                    for word in words { json.value(String(word)) }
                }
            }
        }
    }
}
#endif
