// SPDX-License-Identifier: MIT

/// The programs that receive a panel's touches in addition to the daemon. The raw value is the word in the
/// configuration and on the wire.
package enum PanelShare: String, Hashable, Sendable, CaseIterable {
    /// All programs that read the panel.
    case listen
    /// No other programs.
    case grab
    /// Programs that read its twin, except for touches kept by regions and gestures.
    case forward
}

/// Determines how a contact ends for the application when a gesture takes it.
package enum TouchCancel: String, Hashable, Sendable, CaseIterable {
    /// It lifts after it has stood still for `TwinFrames.stillness`.
    case lift
    /// It becomes a palm, which libinput turns into a cancel.
    case palm
}
