// SPDX-License-Identifier: MIT
import GestureProtocol

/// A subscription, compiled: three bits decide whether a line passes.
struct LineFilter: Hashable {
    /// The lines that must be made for the client.
    let interest: LineInterest
    private let events: UInt8
    private let phases: UInt8
    /// One bit for each subject.
    private var subjects: [UInt64]
    private let maySeePrivate: Bool

    /// Events that carry the positions of all contacts, whatever region they are in.
    static let revealing: Set<EventName> = [.touches, .frame]

    /// - Parameters:
    ///   - all: the subjects that lines may have.
    ///   - maySeePrivate: otherwise private subjects never pass.
    ///   - hasPrivate: whether there are private regions: without the right to see them, `touches` and `frame` do not
    ///     pass either, which would show where they are touched.
    init(_ request: SubscriptionRequest, among all: [Subject], maySeePrivate: Bool, hasPrivate: Bool) {
        self.maySeePrivate = maySeePrivate
        var allowed = request.events
        if !maySeePrivate, hasPrivate { allowed.subtract(Self.revealing) }
        interest = LineInterest(events: allowed, phases: request.phases)
        events = allowed.reduce(0) { $0 | 1 << $1.rawValue }
        phases = request.phases.reduce(1 << LinePhase.none.rawValue) { $0 | 1 << $1.rawValue }
        subjects = [UInt64](repeating: 0, count: (all.count + 63) / 64)
        let regions = request.regions?.map { Glob($0) }
        let gestures = request.gestures?.map { Glob($0) }
        let names = request.names?.map { Glob($0) }
        // The gestures of a region follow each other: its id is matched once.
        var last: (region: String, isWanted: Bool)?
        for (index, subject) in all.enumerated() {
            if last?.region != subject.region { last = (subject.region, Self.matches(subject.region, regions)) }
            if last?.isWanted == true, maySeePrivate || !subject.isPrivate,
                Self.matches(subject.gesture, gestures), Self.matches(subject.name, names)
            {
                subjects[index >> 6] |= 1 << UInt64(index & 63)
            }
        }
    }

    private static func matches(_ name: String, _ globs: [Glob]?) -> Bool {
        globs?.contains { $0.matches(name) } ?? true
    }

    @inline(__always)
    func passes(event: EventName, phase: LinePhase, subject: Int) -> Bool {
        guard events & (1 << event.rawValue) != 0, phases & (1 << phase.rawValue) != 0 else { return false }
        guard subject >= 0 else {
            return subject == EventLine.everybody || (subject == EventLine.insiders) == maySeePrivate
        }
        let word = subject >> 6
        return word < subjects.count && subjects[word] & (1 << UInt64(subject & 63)) != 0
    }
}
