// SPDX-License-Identifier: MIT
import GestureProtocol

/// A compiled subscription: three bits decide whether a line passes.
struct LineFilter: Hashable {
    private var events: UInt8
    private var phases: UInt8
    /// One bit for each subject.
    private var subjects: [UInt64]
    private var maySeePrivate: Bool

    /// No line passes.
    static let closed = LineFilter(events: [], phases: [], maySeePrivate: false, subjectCount: 0) { _ in false }

    init(
        events: Set<EventName>, phases: Set<LinePhase>, maySeePrivate: Bool, subjectCount: Int,
        _ isWanted: (Int) -> Bool
    ) {
        self.maySeePrivate = maySeePrivate
        self.events = events.reduce(0) { $0 | 1 << $1.rawValue }
        self.phases = phases.reduce(1 << LinePhase.none.rawValue) { $0 | 1 << $1.rawValue }
        subjects = [UInt64](repeating: 0, count: (subjectCount + 63) / 64)
        for index in 0..<subjectCount where isWanted(index) { subjects[index >> 6] |= 1 << UInt64(index & 63) }
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
