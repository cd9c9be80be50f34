// SPDX-License-Identifier: MIT
import GestureClient
import GestureTestSupport

extension GestureClient.Event {
    /// A short form of the event: `hello`, `press begin ok`, `press cancel disconnected ok`.
    var short: String {
        switch self {
        case .hello: "hello"
        case .state: "state"
        case .gesture(let gesture):
            [gesture.kind.rawValue, gesture.phase?.rawValue, gesture.reason?.rawValue, gesture.region]
                .compactMap { $0 }.joined(separator: " ")
        case .failed: "failed"
        case .touches: "touches"
        case .idle(let idle): "idle \(idle.name) \(idle.reason ?? "")"
        case .wake(let wake): "wake \(wake.device) \(wake.reason)"
        case .device: "device"
        case .configuration(let change): "config \(change.change)"
        case .overflow: "overflow"
        case .bye: "bye"
        case .disconnected: "disconnected"
        case .other(let name, _): name
        }
    }

    /// Whether the event contains the sequence. A `state` after lost lines may contain it as well.
    func names(sequence: Int) -> Bool {
        if case .state(let state) = self { return state.active.contains { $0.sequence == sequence } }
        return gesture?.sequence == sequence
    }

    var gesture: GestureClient.Gesture? {
        if case .gesture(let gesture) = self { gesture } else { nil }
    }
}

extension GestureClient {
    func firstEvent(_ subscription: Subscription = Subscription()) async throws(ClientError) -> Event? {
        var events = events(subscription).makeAsyncIterator()
        return try await events.next()
    }
}

extension GestureClient.Events.Iterator {
    /// Returns the next event. Throws if there are no more events.
    mutating func event() async throws -> GestureClient.Event {
        guard let event = try await next() else { throw TestFailure("the events have ended") }
        return event
    }

    /// The short forms of the events up to and including `last`.
    mutating func words(to last: String) async throws -> [String] {
        var words: [String] = []
        while words.last != last { words.append(try await event().short) }
        return words
    }

    /// The short forms of all remaining events.
    mutating func rest() async throws -> [String] {
        var words: [String] = []
        while let event = try await next() { words.append(event.short) }
        return words
    }
}

/// Returns the error that `body` throws, or `nil`.
func error(_ body: () async throws(GestureClient.ClientError) -> Void) async -> GestureClient.ClientError? {
    do throws(GestureClient.ClientError) {
        try await body()
        return nil
    } catch {
        return error
    }
}

/// Returns the error code with which the daemon refuses a request in `body`, or `nil`.
func code(_ body: () async throws(GestureClient.ClientError) -> Void) async -> GestureClient.ErrorCode? {
    if case .refused(let refusal) = await error(body) { refusal.code } else { nil }
}
