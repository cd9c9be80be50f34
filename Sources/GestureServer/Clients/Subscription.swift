// SPDX-License-Identifier: MIT
import GestureProtocol

/// What a client has subscribed to.
struct Subscription {
    private var request: SubscriptionRequest
    /// The lines that must be made for this client; known once compiled.
    private(set) var interest = LineInterest()

    init(_ request: SubscriptionRequest) {
        self.request = request
    }

    /// The events, in the order of the protocol.
    var events: [EventName] { EventName.allCases.filter { request.events.contains($0) } }
    /// Globs of region ids; `nil`: all.
    var regions: [String]? { request.regions }
    var wallClock: Bool { request.wallClock }
    /// In microseconds; `nil`: lines never become too old.
    var maxAge: Int64? { request.maxAge > 0 ? request.maxAge * 1000 : nil }
    var maxRate: Double? { request.maxRate }

    /// Compiles the filter for these subjects.
    ///
    /// - Parameters:
    ///   - maySeePrivate: otherwise private subjects never pass.
    ///   - hasPrivate: whether there are private regions: without the right to see them, `touches` and `frame` do not
    ///     pass either, which would show where they are touched.
    mutating func compile(_ all: [Subject], maySeePrivate: Bool, hasPrivate: Bool) -> LineFilter {
        var allowed = request.events
        if !maySeePrivate, hasPrivate { allowed.subtract(Self.revealing) }
        interest = LineInterest(events: allowed, phases: request.phases)
        let regions = request.regions?.map { Glob($0) }
        let gestures = request.gestures?.map { Glob($0) }
        let names = request.names?.map { Glob($0) }
        // The gestures of a region follow each other: its id is matched once.
        var last: (region: String, isWanted: Bool)?
        return LineFilter(
            events: allowed, phases: request.phases, maySeePrivate: maySeePrivate, subjectCount: all.count
        ) { index in
            let subject = all[index]
            if last?.region != subject.region { last = (subject.region, Self.matches(subject.region, regions)) }
            return last?.isWanted == true && (maySeePrivate || !subject.isPrivate)
                && Self.matches(subject.gesture, gestures) && Self.matches(subject.name, names)
        }
    }

    /// Events that carry the positions of all contacts, whatever region they are in.
    static let revealing: Set<EventName> = [.touches, .frame]

    /// The globs for regions that match no region.
    func unmatchedRegions(_ all: [ServedRegion], maySeePrivate: Bool) -> [String] {
        (request.regions ?? []).filter { pattern in
            let glob = Glob(pattern)
            // A private region must not be found out by asking.
            return !all.contains { (maySeePrivate || !$0.isPrivate) && glob.matches($0.id) }
        }
    }

    private static func matches(_ name: String, _ globs: [Glob]?) -> Bool {
        guard let globs else { return true }
        return globs.contains { $0.matches(name) }
    }
}
