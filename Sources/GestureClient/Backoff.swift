// SPDX-License-Identifier: MIT

extension GestureClient {
    /// How long to wait before each try to connect: 100 ms, doubled each time up to 5 s. Up to a half is taken off
    /// at random, so that the clients of a restarted daemon do not all connect at once.
    public struct Backoff: Sendable {
        static let first = Duration.milliseconds(100)
        static let most = Duration.seconds(5)

        private let chance: @Sendable () -> Double
        private var next = Self.first

        /// - Parameter chance: returns a random number from 0 to 1.
        public init(chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
            self.chance = chance
        }

        /// The wait before the next try.
        public mutating func delay() -> Duration {
            let wait = next
            next = min(wait * 2, Self.most)
            return wait * (0.5 + 0.5 * min(max(chance(), 0), 1))
        }

        /// The daemon has answered.
        public mutating func reset() { next = Self.first }
    }
}
