// SPDX-License-Identifier: MIT
package import GestureProtocol

/// A compiled subscription. Deciding whether a line passes takes only three bit lookups.
///
/// A subject is matched against the globs when its first line is made. With 64 subscriptions of 64 globs each and a
/// thousand regions, matching all subjects in advance would delay a reload by seconds.
package final class LineFilter {
    /// The subscription that was compiled.
    let request: SubscriptionRequest
    /// The lines that must be made for the client.
    let interest: LineInterest
    private let events: UInt8
    private let phases: UInt8
    private let globs: GlobFilter
    /// Each of these has one bit for each subject: whether the subject has been matched, and whether it passes.
    private var matched: [UInt64]
    private var passing: [UInt64]
    private let maySeePrivate: Bool

    /// Compiles a subscription.
    /// - Parameters:
    ///   - count: the number of subjects.
    ///   - rights: without `seesPrivate`, private subjects and lines for insiders never pass.
    ///   - hasPrivate: whether there are private regions. If there are, `touches` and `frame` do not pass without the
    ///     right to see private regions, because these events would reveal touches there.
    package init(_ request: SubscriptionRequest, subjects count: Int, rights: Rights, hasPrivate: Bool) {
        self.request = request
        maySeePrivate = rights.contains(.seesPrivate)
        var allowed = request.events
        if !rights.contains(.raw) || (!maySeePrivate && hasPrivate) { allowed.subtract(request.showsContacts) }
        if allowed.contains(.idle) { allowed.insert(.wake) }
        interest = LineInterest(events: allowed, phases: request.phases)
        events = allowed.reduce(0) { $0 | 1 << $1.rawValue }
        phases = request.phases.reduce(1 << LinePhase.none.rawValue) { $0 | 1 << $1.rawValue }
        globs = GlobFilter(
            regions: request.regions, devices: request.devices, gestures: request.gestures, names: request.names)
        matched = [UInt64](repeating: 0, count: (count + 63) / 64)
        passing = matched
    }

    /// Replaces all subjects.
    package func forgetSubjects(count: Int) {
        matched = [UInt64](repeating: 0, count: (count + 63) / 64)
        passing = matched
    }

    /// Whether a line passes.
    /// - Parameter subjects: the current subjects. Their number must be the one given to `init` or `forgetSubjects`.
    package func passes(_ line: borrowing EventLine, among subjects: SubjectList) -> Bool {
        guard events & (1 << line.event.rawValue) != 0, phases & (1 << line.phase.rawValue) != 0,
            line.audience.has(seesPrivate: maySeePrivate)
        else { return false }
        let subject = line.subject
        guard subject >= 0 else { return true }
        let word = subject >> 6
        guard word < matched.count, subject < subjects.count else { return false }
        let bit: UInt64 = 1 << UInt64(subject & 63)
        if matched[word] & bit == 0 { match(subjects[subject], word, bit) }
        return passing[word] & bit != 0
    }

    private func match(_ subject: Subject, _ word: Int, _ bit: UInt64) {
        matched[word] |= bit
        if isWanted(subject) { passing[word] |= bit }
    }

    private func isWanted(_ subject: Subject) -> Bool {
        guard maySeePrivate || !subject.isPrivate, globs.passes(device: subject.device) else { return false }
        guard let region = subject.region else { return true }
        return globs.passes(region: region, gesture: subject.gesture, name: subject.name)
    }
}
