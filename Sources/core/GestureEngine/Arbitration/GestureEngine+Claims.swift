// SPDX-License-Identifier: MIT

/// Arbitration between regions: decides which region owns a contact exclusively.
///
/// Regions *contend* after contacts have moved or landed, and after a contact has made a gesture fail. Each round has
/// three steps:
///
/// 1. *Propose.* The region is queried for a gesture that would begin now (`RegionUnit.accepting`). The query changes
///    no state.
/// 2. *Resolve.* If a region that shares a contact proposes a gesture with higher precedence, that region takes its
///    turn first. Otherwise the proposing region claims its free contacts: regions around it release them, and gestures
///    of regions inside it end.
/// 3. *Commit.* The gesture begins and the region is queried again. When it proposes nothing more, its recognizers
///    handle the movement.
///
/// Turns are kept on a stack. A region is pushed for its movement at most once in a frame, because `takeTurn` clears
/// the movement flag, and it begins at most as many gestures as it has. The loop therefore ends.
extension GestureEngine {
    /// A region whose turn it is, and the remaining work of the turn.
    struct Contender {
        enum Turn {
            /// A gesture may begin; then the recognizers handle the movement.
            case movement
            /// The recognizers handle the movement of contacts that other regions have claimed.
            case claimedMovement
            /// A gesture may begin.
            case proposal
        }

        let unit: UnitIndex
        let turn: Turn
    }

    /// Handles the movement of a region's contacts, once in a frame.
    mutating func evaluateIfNeeded(_ unit: UnitIndex) {
        let engine = engines[unit]
        guard let turn = takeTurn(engine) else { return }
        // Fast path: most frames begin no gesture.
        if turn == .claimedMovement || engine.accepting() == nil, !engine.rules.hasUnless {
            if turn == .movement { engine.tellCompetitors() }
            return engine.tellBystanders()
        }
        contenders.append(Contender(unit: unit, turn: turn))
        contend()
    }

    /// Begins the gestures that the current contacts of a region allow.
    mutating func beginAccepted(_ unit: UnitIndex) {
        contenders.append(Contender(unit: unit, turn: .proposal))
        contend()
    }

    /// Clears the movement flag of a region and samples the movement.
    /// - Returns: `nil` if the contacts have not moved or the region has already had its turn.
    private func takeTurn(_ engine: RegionUnit) -> Contender.Turn? {
        let changes = engine.contacts.changes
        guard changes.contains(.moved) else { return nil }
        engine.contacts.changes = changes.subtracting([.moved, .travelled])
        guard changes.contains(.travelled), !engine.rules.competitors.isEmpty else { return .claimedMovement }
        engine.trackMotion()
        return .movement
    }

    /// Runs rounds until the stack is empty.
    private mutating func contend() {
        while let contender = contenders.last {
            let engine = engines[contender.unit]
            if contender.turn != .claimedMovement, let candidate = engine.accepting() {
                if let rival = rival(of: contender.unit, candidate), let turn = takeTurn(engines[rival]) {
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
            // Gestures that others waited for may have failed because of the movement.
            engine.settle()
            contenders.append(Contender(unit: contender.unit, turn: .proposal))
        }
    }

    /// The region that has precedence over a gesture; `nil` if there is none. Within one frame, the innermost region
    /// wins unless `priority` prefers another kind.
    private func rival(of unit: UnitIndex, _ candidate: Candidate) -> UnitIndex? {
        let rank = rank(candidate)
        for contact in contacts.indices where contacts.routes[contact].contains(unit) {
            var isNearer = true
            for other in contacts.routes[contact] {
                if other == unit {
                    isNearer = false
                    continue
                }
                guard engines[other].contacts.changes.contains(.travelled), !units[other].pass,
                    !departing.contains(other)
                else { continue }
                engines[other].trackMotion()
                guard let rival = engines[other].accepting() else { continue }
                let theirs = self.rank(rival)
                if theirs < rank || (isNearer && theirs == rank) { return other }
            }
        }
        return nil
    }

    /// The precedence of a kind between regions. Kinds that are not listed in `priority` rank equally, so the nearer
    /// region wins.
    private func rank(_ candidate: Candidate) -> Int {
        arbitration.priority.firstIndex(of: candidate.kind) ?? arbitration.priority.count
    }

    /// Claims the contacts of a region for one of its gestures. Other regions on their routes release them.
    mutating func claim(_ unit: UnitIndex, for candidate: Candidate) {
        guard !units[unit].pass else { return }
        let region = units.region(of: unit)
        let winner = GestureReference(region: region, gesture: candidate.index)
        for contact in contacts.indices {
            let id = contacts.entries[contact].id
            guard contacts.routes[contact].contains(unit), engines[unit].contacts.group.isFree(id) else { continue }
            contacts.claim(contact, for: unit)
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

    /// If a contact lands where a drag, dial, pinch or rotation is active, assigns it only to that gesture. Other regions
    /// do not receive it, except those with `pass`.
    /// - Returns: the remaining route, and the unit whose gesture the contact has joined.
    func joining(_ route: [UnitIndex]) -> (route: [UnitIndex], claimant: UnitIndex?) {
        for unit in route where !units[unit].pass && engines[unit].holdsClaim {
            return (route.filter { $0 == unit || units[$0].pass }, unit)
        }
        return (route, nil)
    }
}
