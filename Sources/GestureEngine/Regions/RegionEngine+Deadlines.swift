// SPDX-License-Identifier: MIT

/// What happens unless a frame prevents it.
extension RegionEngine {
    /// Fires what is due at `time`, in the order of the configuration.
    mutating func fire(at time: Timestamp, into events: inout [GestureEvent]) {
        for entry in timed {
            switch entry {
            case .press(let i): perform(presses[i].fire(at: time), presses[i].gesture, at: time, into: &events)
            case .tap(let i): report(taps[i].fire(at: time), i, at: time, into: &events)
            case .longPress(let i): fireLongPress(i, at: time, into: &events)
            case .repeat(let i): perform(repeats[i].fire(at: time), repeats[i].gesture, at: time, into: &events)
            }
        }
        scheduleDeadline()
    }

    private mutating func fireLongPress(_ i: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        let action = longPresses[i].fire(at: time)
        guard action != .none else { return }
        perform(action, longPresses[i].gesture, at: time, into: &events)
        // A long press that begins fails every tap of its sequence.
        for t in taps.indices { report(taps[t].fail(), t, at: time, into: &events) }
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
        nextDeadline = next == .never ? nil : next
        restLimit = limit
    }
}
