// SPDX-License-Identifier: MIT
import GestureProtocol

/// What at least one client listens to: nobody needs to compute the rest.
package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let gestures = Interest(rawValue: 1)
    /// Gestures with the phase `update`.
    package static let updates = Interest(rawValue: 2)
    package static let touches = Interest(rawValue: 4)
    package static let frames = Interest(rawValue: 8)
    package static let failed = Interest(rawValue: 16)

    init(events: Set<EventName>, phases: Set<LinePhase>) {
        self = []
        if events.contains(.gesture) { insert(.gestures) }
        if events.contains(.gesture), phases.contains(.update) { insert(.updates) }
        if events.contains(.touches) { insert(.touches) }
        if events.contains(.frame) { insert(.frames) }
        if events.contains(.failed) { insert(.failed) }
    }
}
