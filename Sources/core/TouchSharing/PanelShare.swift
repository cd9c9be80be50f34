// SPDX-License-Identifier: MIT

/// The programs that receive a panel's touches in addition to the daemon. The raw value is the word used in the
/// configuration and in the protocol.
package enum PanelShare: String, Hashable, Sendable, CaseIterable {
    /// All programs that read the panel.
    case listen
    /// No other programs.
    case grab
    /// Programs that read the panel's twin. They do not receive touches that regions and gestures keep.
    case forward
}

/// Determines how a contact ends for the application when a gesture takes it.
package enum TouchCancel: String, Hashable, Sendable, CaseIterable {
    /// The contact lifts after it has stood still for `TwinFrames.stillness`.
    case lift
    /// The contact becomes a palm. libinput then reports a cancelled touch.
    case palm
}
