// SPDX-License-Identifier: MIT
import GestureProtocol

/// A client's filter, compiled: whether a line passes is answered by three bits.
struct Subscription {
    private var request: SubscriptionRequest
    private var events: UInt8 = 0
    private var phases: UInt8 = 0
    /// One bit for each subject.
    private var subjects: [UInt64] = []

    init(_ request: SubscriptionRequest) {
        self.request = request
    }

    var wallClock: Bool { request.wallClock }
    /// In microseconds; `nil`: lines never become too old.
    var maxAge: Int64? { request.maxAge > 0 ? request.maxAge * 1000 : nil }
    var maxRate: Double? { request.maxRate }

    /// What this client needs others to compute.
    private(set) var interest: Interest = []

    func wants(_ line: borrowing EventLine) -> Bool {
        guard events & (1 << line.event.rawValue) != 0, phases & (1 << line.phase.rawValue) != 0 else { return false }
        guard line.subject >= 0 else { return true }
        let word = line.subject >> 6
        return word < subjects.count && subjects[word] & (1 << UInt64(line.subject & 63)) != 0
    }

    /// Compiles the filter for these subjects.
    ///
    /// - Parameter maySeePrivate: otherwise private subjects never pass, and with any private
    ///   subject neither do `touches` and `frame`: they would show where it is touched.
    mutating func compile(_ all: [Subject], maySeePrivate: Bool) {
        var allowed = request.events
        if !maySeePrivate, all.contains(where: { $0.isPrivate }) { allowed.subtract(Self.revealing) }
        events = allowed.reduce(0) { $0 | 1 << $1.rawValue }
        phases = request.phases.reduce(1 << LinePhase.none.rawValue) { $0 | 1 << $1.rawValue }
        interest = Interest(events: allowed, phases: request.phases)
        compileSubjects(all, maySeePrivate: maySeePrivate)
    }

    /// Events that carry the positions of all contacts, whatever region they are in.
    static let revealing: Set<EventName> = [.touches, .frame]

    private mutating func compileSubjects(_ all: [Subject], maySeePrivate: Bool) {
        let regions = request.regions?.map { Glob($0) }
        let gestures = request.gestures?.map { Glob($0) }
        let names = request.names?.map { Glob($0) }
        subjects = [UInt64](repeating: 0, count: (all.count + 63) / 64)
        // Gestures of one region follow each other: its id is compared once.
        var lastRegion: (id: String, isWanted: Bool)?
        for (index, subject) in all.enumerated() {
            if lastRegion?.id != subject.region {
                lastRegion = (subject.region, Self.fits(subject.region, regions))
            }
            guard lastRegion?.isWanted == true, maySeePrivate || !subject.isPrivate,
                Self.fits(subject.gesture, gestures), Self.fits(subject.name, names)
            else { continue }
            subjects[index >> 6] |= 1 << UInt64(index & 63)
        }
    }

    /// The globs for regions that no region fits, as they were written.
    func unmatchedRegions(_ all: [Subject], maySeePrivate: Bool) -> [String] {
        (request.regions ?? []).filter { pattern in
            let glob = Glob(pattern)
            // A private region must not be found out by asking.
            return !all.contains { (maySeePrivate || !$0.isPrivate) && glob.matches($0.region) }
        }
    }

    private static func fits(_ name: String, _ globs: [Glob]?) -> Bool {
        guard let globs else { return true }
        return globs.contains { $0.matches(name) }
    }
}
