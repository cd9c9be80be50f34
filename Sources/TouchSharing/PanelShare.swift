// SPDX-License-Identifier: MIT

/// Who gets a panel's touches beside the daemon. The raw value is the word of the configuration and on the wire.
package enum PanelShare: String, Hashable, Sendable, CaseIterable {
    /// Everybody who reads the panel.
    case listen
    /// Nobody.
    case grab
    /// Whoever reads its twin, but for what regions and gestures keep.
    case forward
}

/// How a contact that a gesture has taken ends for the application.
package enum TouchCancel: String, Hashable, Sendable, CaseIterable {
    /// It lifts once it has stood still for `TwinFrames.stillness`.
    case lift
    /// It becomes a palm, which libinput makes a cancel of.
    case palm
}
