// SPDX-License-Identifier: MIT

/// The events that depend on the subscription. `hello`, `state`, `overflow` and `bye` are sent without one.
package enum EventName: UInt8, Hashable, Sendable, CaseIterable {
    case gesture, failed, touches, idle, device, config, frame
    /// A client that has subscribed to `idle` also receives this event.
    case wake

    /// The events that a subscription can name.
    package static let subscribable = allCases.filter { $0 != .wake }

    /// Whether the lines contain the positions of all contacts, regardless of their regions. They need the right `raw`,
    /// and while there are private regions also the right to see these.
    package var showsContacts: Bool {
        switch self {
        case .touches, .frame: true
        case .gesture, .failed, .idle, .device, .config, .wake: false
        }
    }

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
        case .wake: "wake"
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
