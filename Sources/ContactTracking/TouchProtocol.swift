// SPDX-License-Identifier: MIT

/// How a device speaks of its contacts.
package enum TouchProtocol: Hashable, Sendable {
    /// Multitouch protocol B: one slot for each contact that it can tell apart.
    case slots(count: Int)
    /// `BTN_TOUCH` with `ABS_X` and `ABS_Y`: one contact.
    case singleTouch

    /// How many contacts there can be at once.
    package var slotCount: Int {
        switch self {
        case .slots(let count): count
        case .singleTouch: 1
        }
    }
}
