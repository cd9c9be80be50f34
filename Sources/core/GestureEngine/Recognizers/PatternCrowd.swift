// SPDX-License-Identifier: MIT

/// The contacts in the regions of a secret.
///
/// They are a crowd from when contacts are down in two of its regions at the same time until none is down in any of
/// them. Gestures of a crowd are wrong steps, because a hand would otherwise try several steps at once.
struct PatternCrowd: Hashable, Sendable {
    /// The regions whose gestures may be steps, at most two for each of `PatternSettings.mostSteps`: of the regions on one
    /// side of private ones, a client's may have the name of another.
    private let places: [RegionIndex]
    /// Whether a contact is down in one of the regions.
    private var isTouched = false
    private var isCrowded = false
    /// The number, without sign, of the last sequence that began before the last crowd ended. A tap may wait longer
    /// than its contact is down.
    private var lastSequence: Int64 = 0

    init(_ places: [RegionIndex]) {
        self.places = places
    }

    /// Whether there has been a crowd.
    var isKnown: Bool { isCrowded || lastSequence > 0 }

    /// Whether a gesture of the panel belongs to a crowd.
    func includes(_ event: GestureEvent) -> Bool { isCrowded || Self.number(event.sequence) <= lastSequence }

    /// Looks at the contacts that are down. Call this after the changes of a frame, before its gestures are handled.
    mutating func follow(_ contacts: ContactTable, _ engines: [RegionUnit]) {
        var last = Places()
        for contact in contacts.indices {
            let own = places(of: contact, contacts, engines)
            guard !own.isEmpty else { continue }
            if !last.isEmpty, own != last { isCrowded = true }
            last = own
        }
        isTouched = !last.isEmpty
    }

    /// Ends the crowd if no contact is down any more. Call this after the gestures of a frame have been handled.
    /// - Parameter last: the number of the last sequence so far on this side of private regions.
    mutating func endFrame(_ last: Int64) {
        guard isCrowded, !isTouched else { return }
        isCrowded = false
        lastSequence = last
    }

    /// Takes the place of the crowd of an earlier list of regions.
    mutating func follow(_ former: PatternCrowd) {
        (isTouched, isCrowded, lastSequence) = (former.isTouched, former.isCrowded, former.lastSequence)
    }

    /// A set of indices of `places`.
    private struct Places: Equatable {
        private var bits: UInt64 = 0

        var isEmpty: Bool { bits == 0 }

        mutating func insert(_ place: Int) { bits |= 1 &<< UInt64(truncatingIfNeeded: place) }
    }

    private func places(of contact: Int, _ contacts: ContactTable, _ engines: [RegionUnit]) -> Places {
        var own = Places()
        for unit in contacts.routes[contact] {
            guard let place = places.firstIndex(of: engines[unit].index),
                engines[unit].contacts.group.index(of: contacts.entries[contact].id) != nil
            else { continue }
            own.insert(place)
        }
        return own
    }

    private static func number(_ sequence: SequenceID) -> Int64 { Int64(clamping: sequence.rawValue.magnitude) }
}
