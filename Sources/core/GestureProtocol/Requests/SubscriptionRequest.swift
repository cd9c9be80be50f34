// SPDX-License-Identifier: MIT

/// The arguments of `subscribe`. A list that is `nil` matches everything.
package struct SubscriptionRequest: Hashable, Sendable {
    package var events: Set<EventName> = [.gesture, .idle, .device, .config]
    package var phases: Set<LinePhase> = [.begin, .update, .end, .cancel]
    /// Globs (`*`, `?`) for region ids.
    package var regions: [String]?
    /// Globs for panel names.
    package var devices: [String]?
    /// Globs for gesture kinds.
    package var gestures: [String]?
    /// Globs for gesture names.
    package var names: [String]?
    /// The largest number of `update` lines per second for each active gesture; `nil`: no limit.
    package var maxRate: Double?
    /// The time in milliseconds after which waiting lines are dropped; 0: never.
    package var maxAge = Self.defaultMaxAge
    /// Whether lines carry `wall_ms`.
    package var wallClock = false

    /// Two seconds, so that a page that was frozen does not react to old touches.
    package static let defaultMaxAge: Int64 = 2000

    package init() {}

    /// The events of the subscription that contain the positions of all contacts.
    package var showsContacts: [EventName] { EventName.allCases.filter { $0.showsContacts && events.contains($0) } }

    /// The subscription of a client that has not sent one: everything except `update` lines.
    package static var silent: Self {
        var request = Self()
        request.phases = [.begin, .end, .cancel]
        return request
    }
}
