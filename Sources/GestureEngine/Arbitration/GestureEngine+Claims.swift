// SPDX-License-Identifier: MIT

/// Arbitration between regions: which of those that a contact is told to has it for itself.
///
/// Whenever contacts have moved, landed, or made something fail, their regions *contend*. Each round has three steps:
///
/// 1. *Propose.* A region is asked which of its gestures would begin now (`RegionUnit.accepting`). The question changes
///    nothing.
/// 2. *Resolve.* If a region that shares a contact with it proposes something that comes first, that one has its turn
///    before. Otherwise the region claims its free contacts: regions around it let go of them, regions inside it end.
/// 3. *Commit.* The gesture begins, and the region is asked again. When it proposes nothing more, its recognizers are told
///    of the movement.
///
/// A stack holds whose turn it is. A region is put on top of it for its movement at most once in a frame, because that
/// takes the mark of the movement away; and it begins at most as many gestures as it has. So the rounds come to an end.
extension GestureEngine {
    /// A region that has its turn, and what is left to do in it.
    struct Contender {
        enum Turn {
            /// A gesture may begin; then the recognizers are told of the movement.
            case movement
            /// The recognizers are told of the movement of contacts that other regions have claimed.
            case claimedMovement
            /// A gesture may begin.
            case proposal
        }

        let unit: UnitIndex
        let turn: Turn
    }

    /// Tells a region once a frame that its contacts have moved.
    mutating func evaluateIfNeeded(_ unit: UnitIndex) {
        guard let turn = takeTurn(unit) else { return }
        let engine = engines[unit]
        // Most frames begin nothing.
        if turn == .claimedMovement || engine.accepting() == nil, !engine.rules.hasUnless {
            if turn == .movement { engine.tellCompetitors() }
            return engine.tellBystanders()
        }
        contenders.append(Contender(unit: unit, turn: turn))
        contend()
    }

    /// Begins what the contacts of a region have become.
    mutating func beginAccepted(_ unit: UnitIndex) {
        contenders.append(Contender(unit: unit, turn: .proposal))
        contend()
    }

    /// - Returns: `nil`: its contacts have not moved, or it has had its turn.
    private func takeTurn(_ unit: UnitIndex) -> Contender.Turn? {
        let engine = engines[unit]
        let changes = engine.contacts.changes
        guard changes.contains(.moved) else {
            if changes.contains(.rested) { engine.trackRest() }
            return nil
        }
        engine.contacts.changes = changes.subtracting([.moved, .travelled])
        guard changes.contains(.travelled), !engine.rules.competitors.isEmpty else { return .claimedMovement }
        engine.trackMotion()
        return .movement
    }

    private mutating func contend() {
        while let contender = contenders.last {
            let engine = engines[contender.unit]
            if contender.turn != .claimedMovement, let candidate = engine.accepting() {
                if let rival = rival(of: contender.unit, candidate), let turn = takeTurn(rival) {
                    contenders.append(Contender(unit: rival, turn: turn))
                    continue
                }
                claim(contender.unit, for: candidate)
                engine.begin(candidate)
                continue
            }
            contenders.removeLast()
            if contender.turn == .proposal { continue }
            if contender.turn == .movement { engine.tellCompetitors() }
            engine.tellBystanders()
            guard engine.rules.hasUnless else { continue }
            // The movement may have failed all that other gestures waited for.
            engine.settle()
            contenders.append(Contender(unit: contender.unit, turn: .proposal))
        }
    }

    /// A region that comes first: in one frame the innermost wins, unless `priority` says that another kind does.
    private func rival(of unit: UnitIndex, _ candidate: Candidate) -> UnitIndex? {
        let rank = rank(candidate)
        for contact in contacts.indices where contacts.routes[contact].contains(unit) {
            var isNearer = true
            for other in contacts.routes[contact] {
                if other == unit {
                    isNearer = false
                    continue
                }
                guard engines[other].contacts.changes.contains(.travelled), !units[other].pass else { continue }
                engines[other].trackMotion()
                guard let rival = engines[other].accepting() else { continue }
                let theirs = self.rank(rival)
                if theirs < rank || (isNearer && theirs == rank) { return other }
            }
        }
        return nil
    }

    /// Kinds that `priority` does not name are equal between regions: nearness decides.
    private func rank(_ candidate: Candidate) -> Int {
        arbitration.priority.firstIndex(of: candidate.kind) ?? arbitration.priority.count
    }

    /// Takes the contacts of a region for one of its gestures: other regions on their way let go.
    mutating func claim(_ unit: UnitIndex, for candidate: Candidate) {
        guard !units[unit].pass else { return }
        let region = units.region(of: unit)
        let winner = GestureReference(region: region, gesture: candidate.index)
        for contact in contacts.indices {
            let id = contacts.entries[contact].id
            guard contacts.routes[contact].contains(unit), engines[unit].contacts.group.isFree(id) else { continue }
            contacts.claim(contact)
            for other in contacts.routes[contact] {
                guard other != unit, !units[other].pass else { continue }
                if regions.isAncestor(region, of: units.region(of: other)) {
                    engines[other].surrender(to: winner)
                } else {
                    engines[other].lose(id, to: winner)
                }
            }
        }
    }

    /// A contact that lands where a drag, pinch or rotation is under way joins it: regions that lie
    /// nearer or around are not told.
    /// - Returns: the route that is left, and whether the contact has joined.
    func joining(_ route: [UnitIndex]) -> (route: [UnitIndex], isClaimed: Bool) {
        for unit in route where !units[unit].pass && engines[unit].holdsClaim {
            return (route.filter { $0 == unit || units[$0].pass }, true)
        }
        return (route, false)
    }
}
