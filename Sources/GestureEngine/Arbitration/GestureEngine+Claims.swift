// SPDX-License-Identifier: MIT

/// Which of nested regions has a contact for itself.
extension GestureEngine {
    /// Tells a region once a frame that its contacts have moved.
    mutating func evaluateIfNeeded(
        _ region: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard engines[region].needsEvaluation else {
            if engines[region].isRestReported { engines[region].trackRest(at: time) }
            return
        }
        engines[region].needsEvaluation = false
        let hasMoved = engines[region].hasMoved
        engines[region].hasMoved = false
        if hasMoved, engines[region].competes {
            engines[region].trackMotion(at: time)
            compete(region, at: time, into: &events)
        }
        engines[region].evaluate(at: time, into: &events)
        // The movement may have failed all that a drag gave way to.
        if engines[region].rules.hasUnless { beginAccepted(region, at: time, into: &events) }
    }

    /// Begins what the contacts of a region have become, and moves on what is under way.
    private mutating func compete(_ region: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        let begun = beginAccepted(region, at: time, into: &events)
        engines[region].rejectMoves(at: time, into: &events)
        if reportsUpdates { engines[region].update(except: begun, at: time, into: &events) }
    }

    /// - Returns: gestures that began, a bit for each.
    @discardableResult
    mutating func beginAccepted(
        _ region: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) -> UInt64 {
        var begun: UInt64 = 0
        while let gesture = engines[region].accepting(at: time) {
            if letOthersGoFirst(region, gesture, at: time, into: &events) { continue }
            claim(region, for: gesture, at: time, into: &events)
            engines[region].begin(gesture, at: time, into: &events)
            begun |= 1 << UInt64(gesture)
        }
        return begun
    }

    /// In one frame the innermost region wins, unless `priority` says that another kind comes first.
    ///
    /// - Returns: somebody else was asked, who may have claimed something: look again.
    private mutating func letOthersGoFirst(
        _ region: Int, _ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) -> Bool {
        let rank = rank(region, gesture)
        for contact in contacts.indices where contacts.isRouted(contact, to: region) {
            var isNearer = true
            for i in contacts.route(contact) {
                let other = contacts.region(i)
                if other == region {
                    isNearer = false
                    continue
                }
                guard engines[other].hasMoved, !regions[other].pass else { continue }
                engines[other].trackMotion(at: time)
                guard let rival = engines[other].accepting(at: time) else { continue }
                let theirs = self.rank(other, rival)
                guard theirs < rank || (isNearer && theirs == rank) else { continue }
                evaluateIfNeeded(other, at: time, into: &events)
                return true
            }
        }
        return false
    }

    /// Kinds that `priority` does not name are equal between regions: nearness decides.
    private func rank(_ region: Int, _ gesture: Int) -> Int {
        let kind = regions[region].gestures[gesture].settings.kind
        return arbitration.priority.firstIndex(of: kind) ?? arbitration.priority.count
    }

    /// Takes the contacts of a region for one of its gestures: other regions on their way let go.
    mutating func claim(
        _ region: Int, for gesture: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard !regions[region].pass else { return }
        for contact in contacts.indices {
            guard contacts.isRouted(contact, to: region),
                engines[region].group.isFree(contacts.id(contact))
            else { continue }
            contacts.claim(contact)
            for i in contacts.route(contact) {
                let other = contacts.region(i)
                guard other != region, !regions[other].pass else { continue }
                if isAncestor(region, of: other) {
                    engines[other].surrender(to: gesture, of: region, at: time, into: &events)
                } else {
                    engines[other].lose(contacts.id(contact), to: gesture, of: region, at: time, into: &events)
                }
            }
        }
    }

    /// A contact that lands where a drag, pinch or rotation is under way joins it: neither what lies
    /// nearer nor what lies around is told.
    ///
    /// - Returns: whether that is so; the route in `contacts.scratch` is cut down accordingly.
    mutating func joinsClaim() -> Bool {
        for region in contacts.scratch where !regions[region].pass && engines[region].holdsClaim {
            contacts.scratch.removeAll { $0 != region && !regions[$0].pass }
            return true
        }
        return false
    }

    func isAncestor(_ region: Int, of other: Int) -> Bool {
        var next = regions[other].parent
        while let above = next {
            if above == region { return true }
            next = regions[above].parent
        }
        return false
    }
}
