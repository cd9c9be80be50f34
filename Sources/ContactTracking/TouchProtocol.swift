// SPDX-License-Identifier: MIT

/// How a device speaks of its contacts.
package enum TouchProtocol: Hashable, Sendable {
    /// Multitouch protocol B: one slot for each contact that it can tell apart.
    case slots(count: Int)
    /// Multitouch protocol A: each frame lists all contacts, and nothing need say which is which.
    case unslotted
    /// `BTN_TOUCH` with `ABS_X` and `ABS_Y`: one contact.
    case singleTouch

    /// How many contacts there can be at once.
    package var slotCount: Int {
        switch self {
        case .slots(let count): count
        // More than hands have fingers; no frame says how many there could be.
        case .unslotted: 16
        case .singleTouch: 1
        }
    }
}
