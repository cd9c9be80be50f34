// SPDX-License-Identifier: MIT
import GestureProtocol

/// Who gets a panel's touches.
struct PanelGrab: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Everybody; the configuration wants it so.
        case shared
        /// Everybody, until no finger is down and no other process has the panel.
        case waiting
        /// The daemon alone.
        case held
        /// Everybody: a person wanted it back with a five-finger hold. Until a reload, or a re-plug.
        case givenBack
    }

    var state: State
    /// Another process has grabbed the panel: nothing comes from it.
    var isElsewhere = false

    /// The name on the wire; `nil` where nothing is special.
    var word: String? {
        if isElsewhere { return "other" }
        return switch state {
        case .shared: nil
        case .waiting: "waiting"
        case .held: "held"
        case .givenBack: "given_back"
        }
    }
}
