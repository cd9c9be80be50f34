// SPDX-License-Identifier: MIT
package import GestureEngine

/// A contact that is down now, for whoever looks at a panel.
package struct LiveContact: Hashable, Sendable, BitwiseCopyable {
    package var id: ContactID
    package var slot: Int
    package var position: Point
    /// Millimetres; `nil` where the panel does not say, or its size is not known.
    package var major: Double?

    package init(id: ContactID, slot: Int, position: Point, major: Double?) {
        self.id = id
        self.slot = slot
        self.position = position
        self.major = major
    }
}
