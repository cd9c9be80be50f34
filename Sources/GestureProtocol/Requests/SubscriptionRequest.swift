// SPDX-License-Identifier: MIT

/// The arguments of `subscribe`. A list that is `nil` matches everything.
package struct SubscriptionRequest: Hashable, Sendable {
    package var events: Set<EventName> = [.gesture, .idle, .device, .config]
    package var phases: Set<LinePhase> = [.begin, .update, .end, .cancel]
    /// Globs (`*`, `?`) of region ids.
    package var regions: [String]?
    /// Globs of the panels' names.
    package var devices: [String]?
    /// Globs of the gestures' kinds.
    package var gestures: [String]?
    /// Globs of the gestures' names.
    package var names: [String]?
    /// The most `update` lines a second for each gesture in progress; `nil`: no limit.
    package var maxRate: Double?
    /// Lines that have waited longer are dropped, in milliseconds; 0: never.
    package var maxAge = Self.defaultMaxAge
    /// Whether lines carry `wall_ms`.
    package var wallClock = false

    /// Two seconds: a page that was frozen must not act on old touches.
    package static let defaultMaxAge: Int64 = 2000

    package init() {}

    /// The subscription of a client that has sent none: everything but `update` lines.
    package static var silent: Self {
        var request = Self()
        request.phases = [.begin, .end, .cancel]
        return request
    }
}
