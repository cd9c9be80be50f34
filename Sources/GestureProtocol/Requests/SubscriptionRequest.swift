// SPDX-License-Identifier: MIT

/// What a client wants to hear. A list that is `nil` lets everything of its kind pass.
package struct SubscriptionRequest: Hashable, Sendable {
    package var events: Set<EventName>
    package var phases: Set<LinePhase>
    /// Globs (`*`, `?`) of region ids.
    package var regions: [String]?
    /// Globs of the gestures' kinds.
    package var gestures: [String]?
    /// Globs of the gestures' names.
    package var names: [String]?
    /// At most so many `update` lines a second for each gesture that goes on; `nil`: all.
    package var maxRate: Double?
    /// Lines that have waited longer, in milliseconds, are dropped; 0: never.
    package var maxAge: Int64
    /// Whether lines carry `wall_ms`.
    package var wallClock: Bool

    /// Two seconds: a page that was frozen must not act on what a visitor did before that.
    package static let defaultMaxAge: Int64 = 2000

    package init(
        events: Set<EventName> = [.gesture, .device, .config],
        phases: Set<LinePhase> = [.begin, .update, .end, .cancel],
        regions: [String]? = nil, gestures: [String]? = nil, names: [String]? = nil,
        maxRate: Double? = nil, maxAge: Int64 = Self.defaultMaxAge, wallClock: Bool = false
    ) {
        self.events = events
        self.phases = phases
        self.regions = regions
        self.gestures = gestures
        self.names = names
        self.maxRate = maxRate
        self.maxAge = maxAge
        self.wallClock = wallClock
    }

    /// What a client hears that never asked: everything but `update` lines.
    package static var silent: Self { SubscriptionRequest(phases: [.begin, .end, .cancel]) }
}
