// SPDX-License-Identifier: MIT
import GestureProtocol

/// What a client asked to hear, and what of it it may.
struct Subscription {
    private var request: SubscriptionRequest
    /// What this client needs others to compute; known once compiled.
    private(set) var interest: Interest = []

    init(_ request: SubscriptionRequest) {
        self.request = request
    }

    /// What it asked for, in the order of the protocol.
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
    ///   - hasPrivate: then neither do `touches` and `frame`: they would show where it is touched.
    mutating func compile(_ all: [Subject], maySeePrivate: Bool, hasPrivate: Bool) -> LineFilter {
        var allowed = request.events
        if !maySeePrivate, hasPrivate { allowed.subtract(Self.revealing) }
        interest = Interest(events: allowed, phases: request.phases)
        let regions = request.regions?.map { Glob($0) }
        let gestures = request.gestures?.map { Glob($0) }
        let names = request.names?.map { Glob($0) }
        // Gestures of one region follow each other: its id is compared once.
        var last: (region: String, isWanted: Bool)?
        return LineFilter(
            events: allowed, phases: request.phases, maySeePrivate: maySeePrivate, subjectCount: all.count
        ) { index in
            let subject = all[index]
            if last?.region != subject.region { last = (subject.region, Self.fits(subject.region, regions)) }
            return last?.isWanted == true && (maySeePrivate || !subject.isPrivate)
                && Self.fits(subject.gesture, gestures) && Self.fits(subject.name, names)
        }
    }

    /// Events that carry the positions of all contacts, whatever region they are in.
    static let revealing: Set<EventName> = [.touches, .frame]

    /// The globs for regions that no region fits, as they were written.
    func unmatchedRegions(_ all: [RegionName], maySeePrivate: Bool) -> [String] {
        (request.regions ?? []).filter { pattern in
            let glob = Glob(pattern)
            // A private region must not be found out by asking.
            return !all.contains { (maySeePrivate || !$0.isPrivate) && glob.matches($0.id) }
        }
    }

    private static func fits(_ name: String, _ globs: [Glob]?) -> Bool {
        guard let globs else { return true }
        return globs.contains { $0.matches(name) }
    }
}
