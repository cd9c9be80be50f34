// SPDX-License-Identifier: MIT

/// Drag and swipe: what takes a contact for itself, and so competes with other regions.
///
/// What only looks is `mutating` all the same: the compiler copies the whole engine for a method
/// that borrows it, and this is asked for every movement.
extension RegionEngine {
    /// Whether a drag would begin, or an early swipe be recognized, where the contacts are now.
    mutating func acceptsMove(at time: Timestamp) -> Bool {
        let centroid = group.centroid
        for i in drags.indices where drags[i].outcome(centroid, count: group.count) == .accept { return true }
        for i in swipes.indices where swipes[i].isRecognizedEarly {
            if swipes[i].judge(group, velocity, at: time) != nil { return true }
        }
        return false
    }

    /// Whether a swipe would be recognized if a contact lifted now.
    mutating func acceptsLift(at time: Timestamp) -> Bool {
        for i in swipes.indices where swipes[i].judge(group, velocity, at: time) != nil { return true }
        return false
    }

    /// Whether a drag or swipe has not given up.
    var competes: Bool {
        mutating get {
            for i in drags.indices where !drags[i].isOver { return true }
            for i in swipes.indices where !swipes[i].isOver { return true }
            return false
        }
    }

    /// Notes where the contacts are, for velocities.
    mutating func trackMotion(at time: Timestamp) {
        velocity.add(group.centroid, at: time)
    }

    /// Moves drags and early swipes on. What begins here has won its contacts.
    mutating func competeForMove(
        at time: Timestamp, reportsUpdates: Bool, into events: inout [GestureEvent]
    ) {
        let centroid = group.centroid
        // Before anything else of this frame: what is cancelled has no update any more.
        for i in drags.indices where drags[i].fingers > 1 {
            if drags[i].outcome(centroid, count: group.count) == .accept { cancelSingleFinger(at: time, into: &events) }
        }
        for i in drags.indices {
            switch drags[i].outcome(centroid, count: group.count) {
            case .accept:
                perform(drags[i].begin(centroid), drags[i].gesture, at: time, into: &events)
            case .reject:
                _ = drags[i].fail()
            case .pending:
                guard reportsUpdates, drags[i].isActive else { continue }
                let velocity = velocity.velocity(at: time, rest: Self.rest)
                perform(drags[i].update(centroid, velocity: velocity), drags[i].gesture, at: time, into: &events)
            }
        }
        for i in swipes.indices where swipes[i].isRecognizedEarly {
            recognizeSwipe(i, at: time, into: &events)
        }
    }

    /// The lift decides every swipe.
    mutating func judgeSwipes(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in swipes.indices {
            recognizeSwipe(i, at: time, into: &events)
            _ = swipes[i].fail()
        }
    }

    /// Another region has claimed this one's contacts.
    ///
    /// - Parameter byAncestor: the claimant is above: press, long press and repeat let go too.
    mutating func lose(byAncestor: Bool, at time: Timestamp, into events: inout [GestureEvent]) {
        guard sequence != nil else { return }
        if byAncestor {
            cancelAll(.claimed, at: time, into: &events)
            return
        }
        let centroid = group.centroid
        for i in drags.indices {
            perform(drags[i].cancel(.claimed, centroid), drags[i].gesture, at: time, into: &events)
        }
        for i in swipes.indices { _ = swipes[i].fail() }
        for i in taps.indices { taps[i].cancel() }
    }

    mutating func endDrags(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in drags.indices {
            let velocity = drags[i].isActive ? velocity.velocity(at: time, rest: Self.rest) : .zero
            perform(
                drags[i].lastLifted(group.centroid, velocity: velocity), drags[i].gesture, at: time, into: &events)
        }
    }

    private mutating func recognizeSwipe(_ i: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        guard let detail = swipes[i].judge(group, velocity, at: time) else { return }
        if swipes[i].fingers > 1 { cancelSingleFinger(at: time, into: &events) }
        perform(swipes[i].recognize(detail), swipes[i].gesture, at: time, into: &events)
    }

    /// A drag has no `rest` of its own: the swipe's default holds for its velocity too.
    private static var rest: Interval { .milliseconds(150) }
}
