// SPDX-License-Identifier: MIT
import ContactTracking
import TouchSharing

/// Another panel with equivalent events: the lines must be the same, byte for byte.
package enum PanelVariant: String, Hashable, Sendable, CaseIterable {
    /// An identical panel.
    case again
    /// A panel with units half as large.
    case finer
    /// A panel that uses other slots.
    case permuted
    /// A panel with `ABS_X`, `ABS_Y` and `BTN_TOUCH` beside the slots, and reports without a change.
    case emulating
    /// A panel with palms, fingers that hover, and fingers from before the daemon.
    case haunted
    /// No client has subscribed to `touches`, `frame`, `failed` and updates: the other lines are the same.
    case quiet
    /// A panel that is shared with an application, with regions and gestures that keep contacts from it: that
    /// changes no line. `TwinWatch` checks the application's events.
    case sharedLift, sharedPalm

    var cancel: TouchCancel? {
        switch self {
        case .sharedLift: .lift
        case .sharedPalm: .palm
        default: nil
        }
    }
}
