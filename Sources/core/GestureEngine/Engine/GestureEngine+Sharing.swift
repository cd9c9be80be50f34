// SPDX-License-Identifier: MIT

/// Queries for a panel that is shared with an application: who receives a contact, and which contacts gestures have
/// taken.
extension GestureEngine {
    /// Sets the log of contacts that gestures take from the application; `nil` disables it.
    package func noteClaims(in log: ClaimLog?) { context.claims = log }

    /// The receiver of a contact that is down. It depends on all regions at the landing position, even if the contact
    /// joined a gesture of one of them.
    package func touches(of id: ContactID) -> Region.Touches {
        contacts.index(of: id).map { contacts.entries[$0].touches } ?? .share
    }

    /// The receiver of a contact that a filter hides from the engine. No gesture can use it, so `hold` is treated as
    /// `share`.
    package func touches(at point: Point) -> Region.Touches {
        touches(on: route(at: point)) == .capture ? .capture : .share
    }

    /// The strictest setting of the regions on a route. Regions with `pass` are ignored.
    func touches(on route: Route) -> Region.Touches {
        var result = Region.Touches.share
        for region in route.regions where !regions[region].pass { result = max(result, regions[region].touches) }
        return result
    }

    /// Starts tracking a contact until the outcome of every gesture that may use it is known.
    package func hold(_ id: ContactID) -> ContactHold {
        var hold = ContactHold(id: id)
        update(&hold)
        return hold
    }

    /// Returns whether a gesture in the log uses the contact and, if not, whether a gesture may still use it.
    package func verdict(on hold: inout ContactHold) -> HoldVerdict {
        update(&hold)
        for recognized in context.claims?.recognized ?? [] {
            for place in hold.places where place.engine === recognized.engine {
                if recognized.sequences.contains(place.sequence) { return .recognized }
            }
        }
        for place in hold.places where place.engine.mayRecognize(place.sequence) { return .undecided }
        return .failed
    }

    /// Updates the regions of the contact, which change when it is handed over.
    private func update(_ hold: inout ContactHold) {
        guard let contact = contacts.index(of: hold.id) else { return }
        hold.places.removeAll(keepingCapacity: true)
        for unit in contacts.routes[contact] where !units[unit].pass {
            guard let sequence = engines[unit].contacts.sequence else { continue }
            hold.places.append((engines[unit], sequence))
        }
    }
}

/// Records the contacts that gestures have taken from the application, and the recognized gestures, since the last
/// `removeAll()`.
package final class ClaimLog {
    /// Contacts taken by gestures with `consumes`. A contact may be listed more than once.
    package private(set) var consumed: [ContactID] = []
    /// Gestures that have begun or were recognized.
    private(set) var recognized: [RecognizedGesture] = []
    /// Whether the log is empty.
    package private(set) var isEmpty = true

    package init() {}

    package func removeAll() {
        consumed.removeAll(keepingCapacity: true)
        recognized.removeAll(keepingCapacity: true)
        isEmpty = true
    }

    fileprivate func consume(_ contact: ContactID) {
        consumed.append(contact)
        isEmpty = false
    }

    fileprivate func recognize(_ gesture: RecognizedGesture) {
        recognized.append(gesture)
        isEmpty = false
    }
}

/// A contact that is not yet part of a recognized gesture. It may have lifted.
package struct ContactHold {
    package let id: ContactID
    /// The regions in which it landed, and their sequences.
    fileprivate(set) var places: [(engine: RegionUnit, sequence: SequenceID)] = []
}

/// The outcome for a held contact.
package enum HoldVerdict: Hashable, Sendable {
    /// A gesture may still use it.
    case undecided
    /// A gesture uses it.
    case recognized
    /// Every gesture that could use it has failed.
    case failed
}

/// A gesture that has begun or was recognized.
struct RecognizedGesture {
    let engine: RegionUnit
    /// The sequences of all taps of a streak; for any other gesture, only its own sequence.
    let sequences: ClosedRange<SequenceID>
}

extension RegionUnit {
    /// Records the contacts that a gesture with `consumes` takes from the application. Call this before its first
    /// event.
    func noteConsumed(by candidate: Candidate) {
        guard let claims = context.claims, candidate.consumes else { return }
        for member in contacts.group.members where !member.isClaimed { claims.consume(member.id) }
    }

    /// Records a gesture. Call this after its first event.
    func noteRecognized(_ event: GestureEvent) {
        guard let claims = context.claims else { return }
        let first = min(streakStart(candidates[event.gesture]) ?? event.sequence, event.sequence)
        claims.recognize(RecognizedGesture(engine: self, sequences: first...event.sequence))
    }

    /// Records a contact that has landed and joined an active gesture with `consumes`.
    func noteJoined(_ id: ContactID) {
        for candidate in candidates where candidate.consumes && candidate.isActive {
            context.claims?.consume(id)
        }
    }

    /// Whether a gesture that uses contacts of a sequence may still be recognized.
    func mayRecognize(_ sequence: SequenceID) -> Bool {
        for waiting in deferred where waiting.event.sequence == sequence { return true }
        for candidate in rules.lineOrder where !candidate.isCounter {
            if mayContain(sequence, candidate) { return true }
            if contacts.sequence == sequence, isUndecided(candidate) { return true }
        }
        return false
    }

    /// Whether a gesture may still be recognized in this sequence. `false` for a dormant gesture, because the gestures
    /// listed in its `after` must be recognized first.
    private func isUndecided(_ candidate: Candidate) -> Bool {
        switch candidate.state {
        case .possible: candidate.recognizer.progress != .over
        case .deferred: true
        case .dormant, .accepted, .rejected: false
        }
    }
}
