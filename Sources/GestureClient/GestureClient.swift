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
/// A client has one connection to the daemon. It connects when it must, and again when the connection is lost.
/// Every gesture that begins also ends: by the daemon's `end` or `cancel`, or by a `cancel` that the client adds
/// when it loses the connection (`.disconnected`) or lines (`.lost`).
///
/// Any task may make requests while another one iterates the events. The client disconnects when the last
/// reference to it and to its events is gone.
public final class GestureClient: Sendable {
    let core: ClientCore

    /// Does not connect yet.
    /// - Parameters:
    ///   - path: the daemon's socket; `nil`: `defaultPath`.
    ///   - reconnects: `false`: events end with the connection, and throw when there is none.
    ///   - replyTimeout: for each request. A daemon that needs longer hangs.
    ///   - backoff: how long to wait before each try to connect again.
    public init(
        path: String? = nil, reconnects: Bool = true, replyTimeout: Duration = .seconds(5), backoff: Backoff = Backoff()
    ) {
        core = ClientCore(
            path: path ?? Self.defaultPath, reconnects: reconnects, replyTimeout: replyTimeout, backoff: backoff)
    }

    deinit { core.close() }

    /// Events as they come, without end: first `.hello` and `.state`. A second call ends the first stream.
    ///
    /// Throws `ClientError` when the daemon refuses the subscription, or trying again cannot help. Ends when
    /// the task is cancelled. While the stream is not iterated, the daemon may drop lines; `.overflow` reports it later.
    public func events(_ subscription: Subscription = Subscription()) -> Events {
        Events(client: self, stream: core.subscribe(subscription))
    }

    /// Disconnects: leased regions are removed, events end. The next use connects again.
    public func close() { core.hangUp() }
}

extension GestureClient {
    /// `$GESTURED_SOCKET`, or where the system's daemon listens.
    public static var defaultPath: String {
        guard let path = Environment.value("GESTURED_SOCKET"), !path.isEmpty else { return SharedFiles.socket }
        return path
    }
}

extension GestureClient {
    /// The events of `events(_:)`. Several iterators share them: each event goes to one.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event

        private let owner: StreamOwner

        init(client: GestureClient, stream: Int) { owner = StreamOwner(client: client, stream: stream) }

        public func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

        /// Waits for one event after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let owner: StreamOwner

            /// - Returns: `nil` when the task was cancelled, the client closed, or another `events(_:)` came.
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
    /// How long to wait before each try to connect: 100 ms, doubled each time up to 5 s. Up to a half is taken off
    /// at random, so that the clients of a restarted daemon do not all connect at once.
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

        /// - Parameter spread: the part of a wait that is taken off at random; 1: all of it may be.
        package init(
            first: Duration, most: Duration, spread: Double,
            chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
        ) {
            (self.first, self.most, self.spread, self.chance) = (first, most, spread, chance)
            next = first
        }

        /// The wait before the next try.
        public mutating func delay() -> Duration {
            let wait = next
            next = min(wait * 2, most)
            return wait * (1 - spread + spread * min(max(chance(), 0), 1))
        }

        /// The daemon has answered.
        public mutating func reset() { next = first }
    }
}
