// SPDX-License-Identifier: MIT

/// One finger on the glass, from landing to lifting. Never reused while the daemon runs; a
/// contact that landed later has a higher id.
package struct ContactID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Identifies the contact on its panel: all contacts in the order of their landing.
    package let rawValue: Int64
    /// Identifies the contact on the wire: negative if it landed in a private region.
    package let number: Int64

    package init(_ rawValue: Int64) { self.init(rawValue, number: rawValue) }

    package init(_ rawValue: Int64, number: Int64) {
        self.rawValue = rawValue
        self.number = number
    }

    /// It landed in a private region.
    package var isPrivate: Bool { number < 0 }

    package static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// What one frame says about one contact.
package struct ContactChange: Hashable, Sendable, BitwiseCopyable {
    /// What has become of it.
    package enum Kind: Hashable, Sendable, BitwiseCopyable {
        case landed
        case moved
        /// Moved while no events came (a resynchronisation): the position is taken over, but
        /// gives no velocity.
        case resynchronized
        case lifted
        /// Taken away without a lift: nothing but cancels may come of it.
        case cancelled(CancelReason)
    }

    package var id: ContactID
    package var kind: Kind
    /// Where the contact is now; for `lifted` and `cancelled`, where it was last.
    package var position: Point

    package init(id: ContactID, kind: Kind, position: Point) {
        self.id = id
        self.kind = kind
        self.position = position
    }
}

/// All changes between two `SYN_REPORT`s of one panel.
///
/// Holds only contacts that changed, ordered by id, at most one change for each id.
/// One frame is reused for the whole life of a panel, so that it allocates nothing.
package struct TouchFrame: Hashable, Sendable {
    package var time: Timestamp
    package var changes: [ContactChange]

    package init(time: Timestamp = Timestamp(microseconds: 0), changes: [ContactChange] = []) {
        self.time = time
        self.changes = changes
    }
}

/// Why what was under way ended without a lift. The raw value is the word on the wire.
package enum CancelReason: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case claimed, multiTouch, palm, deviceRemoved, syncLost, reload, disabled, client, handover, suspend, rest,
        movement
}
