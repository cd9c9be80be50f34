// SPDX-License-Identifier: MIT

/// The events that clients can subscribe to. `hello`, `state`, `overflow` and `bye` are sent without a subscription.
package enum EventName: UInt8, Hashable, Sendable, CaseIterable {
    case gesture, failed, touches, idle, device, config, frame

    /// The name on the wire.
    package var word: String {
        switch self {
        case .gesture: "gesture"
        case .failed: "failed"
        case .touches: "touches"
        case .idle: "idle"
        case .device: "device"
        case .config: "config"
        case .frame: "frame"
        }
    }
}

/// The phase of a continuous gesture; `none` for discrete gestures and for lines that are not about a gesture.
package enum LinePhase: UInt8, Hashable, Sendable, CaseIterable {
    case none, begin, update, end, cancel

    /// The name on the wire; empty for `none`.
    package var word: String {
        switch self {
        case .none: ""
        case .begin: "begin"
        case .update: "update"
        case .end: "end"
        case .cancel: "cancel"
        }
    }
}
