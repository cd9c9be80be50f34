// SPDX-License-Identifier: MIT
import ContactTracking
import TouchSharing

/// Another panel that says the same: the lines must be the same, byte for byte.
package enum PanelVariant: String, Hashable, Sendable, CaseIterable {
    /// The same, once more.
    case again
    /// Units half as large.
    case finer
    /// Other slots.
    case permuted
    /// `ABS_X`, `ABS_Y` and `BTN_TOUCH` beside the slots, and reports without a change.
    case emulating
    /// Palms, fingers that hover, and fingers that were there before the daemon.
    case haunted
    /// Nobody wants `touches`, `frame`, `failed` and updates: the other lines are the same.
    case quiet
    /// Shared with an application, where regions and gestures keep contacts from it: that changes no line. `TwinWatch` holds
    /// what the application gets to its law.
    case sharedLift, sharedPalm

    var cancel: TouchCancel? {
        switch self {
        case .sharedLift: .lift
        case .sharedPalm: .palm
        default: nil
        }
    }
}
