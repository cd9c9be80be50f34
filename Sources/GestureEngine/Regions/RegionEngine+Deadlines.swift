// SPDX-License-Identifier: MIT

/// What happens unless a frame prevents it.
extension RegionEngine {
    /// Fires what is due at `time`, in the order of the configuration.
    mutating func fire(at time: Timestamp, into events: inout [GestureEvent]) {
        for gesture in members.indices {
            switch members[gesture] {
            case .press(let i): perform(presses[i].fire(at: time), gesture, at: time, into: &events)
            case .tap(let i): report(taps[i].fire(at: time), i, at: time, into: &events)
            case .longPress(let i): perform(longPresses[i].fire(at: time), gesture, at: time, into: &events)
            case .repeat(let i):
                let isKept = givesWay(gesture)
                perform(repeats[i].fire(at: time, isKept: isKept), gesture, at: time, into: &events)
            case .swipe(let i):
                guard isAwaited(gesture) else { continue }
                perform(swipes[i].expire(at: time), gesture, at: time, into: &events)
            case .drag, .transform, .pattern: break
            }
        }
        settle(at: time, into: &events)
    }

    /// Notes when something is next due, and how far contacts may stray before something fails.
    mutating func scheduleDeadline() {
        var next = Timestamp.never
        var limit = Double.infinity
        for i in presses.indices { next = min(next, presses[i].deadline ?? .never) }
        for i in repeats.indices { next = min(next, repeats[i].deadline ?? .never) }
        for i in taps.indices {
            next = min(next, taps[i].deadline ?? .never)
            limit = min(limit, taps[i].squaredSlop ?? .infinity)
        }
        for i in longPresses.indices {
            next = min(next, longPresses[i].deadline ?? .never)
            limit = min(limit, longPresses[i].squaredSlop ?? .infinity)
        }
        if rules.hasUnless { next = min(next, nextExpiry() ?? .never) }
        nextDeadline = next == .never ? nil : next
        restLimit = limit
    }

    /// When a swipe that others give way to can no longer be recognized.
    private func nextExpiry() -> Timestamp? {
        var next: Timestamp?
        for i in swipes.indices where isAwaited(swipes[i].gesture) {
            guard let expiry = swipes[i].expiry else { continue }
            next = min(next ?? expiry, expiry)
        }
        return next
    }

    /// Others give way to this gesture.
    private func isAwaited(_ gesture: Int) -> Bool {
        rules.hasUnless && rules.unless.contains { $0.contains(gesture) }
    }
}
