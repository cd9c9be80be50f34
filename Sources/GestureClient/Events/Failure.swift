// SPDX-License-Identifier: MIT

extension GestureClient {
    /// Why a gesture did not come about.
    public struct Failure: Hashable, Sendable {
        public var kind: Gesture.Kind
        public var name: String
        public var region: String
        public var device: String
        public var sequence: Int
        /// Such as `too_slow`.
        public var code: String
        /// What was measured, and what it had to keep to, in `unit`; all three or none.
        public var value: Double?
        public var limit: Double?
        public var unit: String?
        /// The same in words.
        public var message: String
        /// On `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int
    }

    /// Every finger that is down on a panel.
    public struct Touches: Hashable, Sendable {
        public var device: String
        public var contacts: [Contact]
        public var coalesced: Int
        /// On `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int
    }

    /// A finger that is down.
    public struct Contact: Hashable, Sendable {
        public var id: Int
        public var slot: Int
        /// In output pixels.
        public var position: Point
        public var region: String?
        /// Its longer axis, in millimetres.
        public var major: Double?
    }
}
