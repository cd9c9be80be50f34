// SPDX-License-Identifier: MIT

/// The receivers of a panel's touches besides the daemon. The raw value is the word in the configuration and on the
/// wire.
package enum PanelShare: String, Hashable, Sendable, CaseIterable {
    /// All programs that read the panel.
    case listen
    /// None.
    case grab
    /// Programs that read its twin, except for touches kept by regions and gestures.
    case forward
}

/// The way in which a contact taken by a gesture ends for the application.
package enum TouchCancel: String, Hashable, Sendable, CaseIterable {
    /// It lifts after it has stood still for `TwinFrames.stillness`.
    case lift
    /// It becomes a palm, which libinput turns into a cancel.
    case palm
}
