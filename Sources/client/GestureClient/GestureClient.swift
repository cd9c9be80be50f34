// SPDX-License-Identifier: MIT
import LinuxSystem

/// A client of gestured, the gesture daemon.
///
/// ```swift
/// let client = GestureClient()
/// for try await event in client.events(.init(regions: ["ok"])) {
///     guard case .gesture(let gesture) = event, gesture.kind == .tap else { continue }
///     try await client.setScene("checkout")
/// }
/// ```
///
/// A client has one connection to the daemon. It connects when it is first used, and reconnects if the connection is
/// lost. Every gesture that begins also ends, either with the daemon's `end` or `cancel`, or with a `cancel` that the
/// client adds when the connection (`.disconnected`) or lines (`.lost`) have been lost.
///
/// Any task may make requests while another task iterates over the events. The client disconnects when the last
/// reference to it and to its events is released.
public final class GestureClient: Sendable {
    let core: ClientCore

    /// Creates a client that does not connect yet.
    /// - Parameters:
    ///   - path: the path of the daemon's socket; `nil` for `defaultPath`.
    ///   - reconnects: whether to connect again after the connection has been lost. With `false`, the stream of events
    ///     ends with the connection, and it throws if the client cannot connect.
    ///   - replyTimeout: the timeout of each request. A daemon that exceeds it is assumed to hang.
    ///   - backoff: the delays before attempts to connect again.
    public init(
        path: String? = nil, reconnects: Bool = true, replyTimeout: Duration = .seconds(5), backoff: Backoff = Backoff()
    ) {
        core = ClientCore(
            path: path ?? Self.defaultPath, reconnects: reconnects, replyTimeout: replyTimeout, backoff: backoff)
    }

    deinit { core.close() }

    /// Returns an endless stream of events as they arrive, beginning with `.hello` and `.state`. A second call ends the
    /// first stream.
    ///
    /// The stream throws `ClientError` if the daemon refuses the subscription or if trying again would not help. It
    /// ends when the task is cancelled. While nothing iterates over the stream, the daemon may drop lines; `.overflow`
    /// reports this later.
    public func events(_ subscription: Subscription = Subscription()) -> Events {
        Events(client: self, stream: core.subscribe(subscription))
    }

    /// Disconnects from the daemon. Leased regions are removed, and the stream of events ends. The client connects
    /// again when it is next used.
    public func close() { core.hangUp() }
}

extension GestureClient {
    /// The path in `$GESTURED_SOCKET`, or else the socket of the system's daemon.
    public static var defaultPath: String {
        guard let path = Environment.value("GESTURED_SOCKET"), !path.isEmpty else { return InstalledFiles.socket }
        return path
    }
}

extension GestureClient {
    /// The events of `events(_:)`. If there are several iterators, each event goes to only one of them.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event

        private let owner: StreamOwner

        init(client: GestureClient, stream: Int) { owner = StreamOwner(client: client, stream: stream) }

        /// Returns an iterator that shares the events with all other iterators of this stream.
        public func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

        /// Waits for one event at a time.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let owner: StreamOwner

            /// - Returns: `nil` if the task was cancelled, the client was closed, or `events(_:)` was called again.
            public mutating func next() async throws(ClientError) -> Event? {
                try await owner.client.core.nextEvent(stream: owner.stream)
            }
        }
    }

    /// Ends the stream when its last reference is released.
    fileprivate final class StreamOwner: Sendable {
        let client: GestureClient
        let stream: Int

        init(client: GestureClient, stream: Int) {
            self.client = client
            self.stream = stream
        }

        deinit { client.core.unsubscribe(stream: stream) }
    }
}

extension GestureClient {
    /// The delays before attempts to connect: 100 ms, doubled each time up to 5 s. A random part of each delay, at most
    /// half of it, is subtracted, so that the clients of a restarted daemon do not all connect at the same time.
    public struct Backoff: Sendable {
        static let first = Duration.milliseconds(100)
        static let most = Duration.seconds(5)

        private let chance: @Sendable () -> Double
        private let first: Duration
        private let most: Duration
        private let spread: Double
        private var next: Duration

        /// - Parameter chance: returns a random number from 0 to 1.
        public init(chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
            self.init(first: Self.first, most: Self.most, spread: 0.5, chance: chance)
        }

        /// - Parameter spread: the maximum fraction of a delay that is subtracted at random, from 0 to 1.
        package init(
            first: Duration, most: Duration, spread: Double,
            chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
        ) {
            (self.first, self.most, self.spread, self.chance) = (first, most, spread, chance)
            next = first
        }

        /// Returns the delay before the next attempt.
        public mutating func delay() -> Duration {
            let wait = next
            next = min(wait * 2, most)
            return wait * (1 - spread + spread * min(max(chance(), 0), 1))
        }

        /// Starts again with the shortest delay. Called after the daemon has answered.
        public mutating func reset() { next = first }
    }
}
