// SPDX-License-Identifier: MIT

/// The identity of a finger on the glass from landing to lift. Never reused while the daemon runs; a contact that
/// landed later has a higher id.
public struct ContactID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Identifies the contact on its panel. Increases in the order of landings.
    public let rawValue: Int64
    /// Identifies the contact on the wire: negative if it landed in a private region.
    public let number: Int64

    @inlinable public init(_ rawValue: Int64) { self.init(rawValue, number: rawValue) }

    @inlinable public init(_ rawValue: Int64, number: Int64) {
        self.rawValue = rawValue
        self.number = number
    }

    /// Whether the contact landed in a private region.
    @inlinable public var isPrivate: Bool { number < 0 }

    @inlinable public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The change of one contact in a frame.
public struct ContactChange: Hashable, Sendable, BitwiseCopyable {
    /// The kind of change.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        case landed
        case moved
        /// Moved while events were lost (resynchronisation). The position is valid, but no velocity can be derived from
        /// it.
        case resynchronized
        case lifted
        /// Lost without a lift. This change can only cancel gestures.
        case cancelled(CancelReason)
    }

    public var id: ContactID
    public var kind: Kind
    /// The current position of the contact; for `lifted` and `cancelled`, its last one.
    public var position: Point
    /// The time since the contact lifted. Zero unless the lift was held back (`bridge`) because the contact might have
    /// landed again.
    public var delay: Interval

    @inlinable public init(id: ContactID, kind: Kind, position: Point, delay: Interval = .zero) {
        self.id = id
        self.kind = kind
        self.position = position
        self.delay = delay
    }
}

/// The changes of a panel's contacts between two `SYN_REPORT`s.
///
/// Contains only contacts that changed, ordered by id, with at most one change each. A panel reuses one frame for its
/// whole lifetime, so that processing a frame allocates nothing.
package struct TouchFrame: Hashable, Sendable {
    /// The time of the `SYN_REPORT`.
    package var time: Timestamp
    package var changes: [ContactChange]

    package init(time: Timestamp = Timestamp(microseconds: 0), changes: [ContactChange] = []) {
        self.time = time
        self.changes = changes
    }
}

/// The reason why a gesture ended without a lift.
public enum CancelReason: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case claimed, multiTouch, palm, deviceRemoved, syncLost, reload, disabled, client, handover, suspend, rest,
        movement
}
