// SPDX-License-Identifier: MIT
import ContactTracking
import TouchSharing

/// A different panel with equivalent events, for which the lines must be the same, byte for byte.
package enum PanelVariant: String, Hashable, Sendable, CaseIterable {
    /// An identical panel, and then one whose deadlines fire when they are due, and not only with the next event.
    case again
    /// A panel whose units are half as large.
    case finer
    /// A panel that uses other slots.
    case permuted
    /// A panel that also sends `ABS_X`, `ABS_Y` and `BTN_TOUCH`, and reports in which nothing has changed.
    case emulating
    /// A panel with palms, fingers that hover, and a finger that landed before the daemon started.
    case haunted
    /// A panel that loses contacts for a moment while they move, with `bridge`.
    case flickering
    /// No client has subscribed to `touches`, `frame`, `failed` or updates, which must not change the other lines.
    case quiet
    /// Between any two frames without a landing, another profile may be in force. It changes nothing that is in progress.
    case profiled
    /// A panel that is shared with an application. Some regions and gestures keep contacts from the application, which
    /// must not change any line. `TwinWatch` checks the application's events.
    case sharedLift, sharedPalm

    var cancel: TouchCancel? {
        switch self {
        case .sharedLift: .lift
        case .sharedPalm: .palm
        default: nil
        }
    }
}
