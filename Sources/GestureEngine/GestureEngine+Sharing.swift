// SPDX-License-Identifier: MIT

/// What a panel must know that is shared with an application: who gets a contact, and what gestures have taken.
extension GestureEngine {
    /// From now on, what gestures take is noted in this log; `nil`: it is not noted.
    package func noteClaims(in log: ClaimLog?) { context.claims = log }

    /// Who gets a contact that is down: the regions that it landed in say so, also if it joined a gesture of one of them.
    package func touches(of id: ContactID) -> Region.Touches {
        contacts.index(of: id).map { contacts.entries[$0].touches } ?? .share
    }

    /// The same of a contact that the engine is not told of, because a filter hides it. Nothing is recognized of it: no region
    /// holds it.
    package func touches(at point: Point) -> Region.Touches {
        touches(on: route(at: point)) == .capture ? .capture : .share
    }

    /// Who gets a contact that goes this way: the region that keeps the most decides. Regions that pass do not count.
    func touches(on route: Route) -> Region.Touches {
        var result = Region.Touches.share
        for region in route.regions where !regions[region].pass { result = max(result, regions[region].touches) }
        return result
    }

    /// What is to be known of a contact that is down until all gestures which may have it have been decided.
    package func hold(_ id: ContactID) -> ContactHold {
        var hold = ContactHold(id: id)
        update(&hold)
        return hold
    }

    /// Whether a gesture that is in the log has the contact as a part, or another one still may have it.
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

    /// A contact that was handed over is another region's.
    private func update(_ hold: inout ContactHold) {
        guard let contact = contacts.index(of: hold.id) else { return }
        hold.places.removeAll(keepingCapacity: true)
        for unit in contacts.routes[contact] where !units[unit].pass {
            guard let sequence = engines[unit].contacts.sequence else { continue }
            hold.places.append((engines[unit], sequence))
        }
    }
}

/// What gestures have taken from the application with which a panel is shared, since `removeAll()`.
package final class ClaimLog {
    /// Contacts that gestures with `consumes` have taken, some of them repeatedly.
    package private(set) var consumed: [ContactID] = []
    /// What has begun or was recognized.
    private(set) var recognized: [RecognizedGesture] = []
    /// Nothing has been noted.
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

/// A contact that no gesture has been recognized of yet. It may have lifted.
package struct ContactHold {
    package let id: ContactID
    /// The regions that it landed in, and their sequences.
    fileprivate(set) var places: [(engine: RegionUnit, sequence: SequenceID)] = []
}

/// What has become of the gestures that a contact may be a part of.
package enum HoldVerdict: Hashable, Sendable {
    case undecided
    case recognized
    /// All of them.
    case failed
}

/// A gesture that has begun or was recognized.
struct RecognizedGesture {
    let engine: RegionUnit
    /// Of a streak all, else the one.
    let sequences: ClosedRange<SequenceID>
}

extension RegionUnit {
    /// To be called before the first event of a gesture: with `consumes` the application loses its contacts.
    func noteConsumed(by candidate: Candidate) {
        guard let claims = context.claims, candidate.consumes else { return }
        for member in contacts.group.members where !member.isClaimed { claims.consume(member.id) }
    }

    /// To be called after the first event of a gesture.
    func noteRecognized(_ event: GestureEvent) {
        guard let claims = context.claims else { return }
        let first = min(streakStart(candidates[event.gesture]) ?? event.sequence, event.sequence)
        claims.recognize(RecognizedGesture(engine: self, sequences: first...event.sequence))
    }

    /// To be called when a contact has landed: it may have joined a gesture that has taken its contacts.
    func noteJoined(_ id: ContactID) {
        for candidate in candidates where candidate.consumes && candidate.isActive {
            context.claims?.consume(id)
        }
    }

    /// Whether a gesture may still be recognized that the contacts of a sequence are a part of.
    func mayRecognize(_ sequence: SequenceID) -> Bool {
        for waiting in deferred where waiting.event.sequence == sequence { return true }
        for candidate in rules.lineOrder where !candidate.isCounter {
            if mayContain(sequence, candidate) { return true }
            if contacts.sequence == sequence, isUndecided(candidate) { return true }
        }
        return false
    }

    /// One that comes after others is decided with those.
    private func isUndecided(_ candidate: Candidate) -> Bool {
        switch candidate.state {
        case .possible: candidate.recognizer.progress != .over
        case .deferred: true
        case .dormant, .accepted, .rejected: false
        }
    }
}
