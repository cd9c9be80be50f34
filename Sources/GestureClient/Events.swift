// SPDX-License-Identifier: MIT

extension GestureClient {
    /// What `events(_:)` gives. Whoever iterates it takes from the same events.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event

        private let ticket: Ticket

        init(client: GestureClient, turn: Int) { ticket = Ticket(client: client, turn: turn) }

        public func makeAsyncIterator() -> Iterator { Iterator(ticket: ticket) }

        /// Waits for one event after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let ticket: Ticket

            /// - Returns: `nil` when the task was cancelled, the client closed, or another `events(_:)` came.
            public mutating func next() async throws(ClientError) -> Event? {
                try await ticket.client.link.nextEvent(turn: ticket.turn)
            }
        }
    }

    /// When the last who holds it is gone, nobody listens any more.
    fileprivate final class Ticket: Sendable {
        let client: GestureClient
        let turn: Int

        init(client: GestureClient, turn: Int) {
            self.client = client
            self.turn = turn
        }

        deinit { client.link.rest(turn: turn) }
    }
}
