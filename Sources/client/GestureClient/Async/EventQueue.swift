// SPDX-License-Identifier: MIT

struct EventQueue {
    private var entries: [GestureClient.Event] = []
    /// The number of entries that have been taken. They are removed together, because removing only the first entry
    /// would move all others.
    private var taken = 0
    /// The total size in bytes of the lines whose events have been added since the queue was last empty.
    private(set) var bytes = 0

    var count: Int { entries.count - taken }
    var waiting: ArraySlice<GestureClient.Event> { entries[taken...] }

    mutating func append(_ event: GestureClient.Event, bytes: Int = 0) {
        entries.append(event)
        self.bytes += bytes
    }

    mutating func takeFirst() -> GestureClient.Event? {
        guard taken < entries.count else { return nil }
        if entries.count == 1 {
            // Usually there is one event. It is moved out instead of copied, and the memory is kept for the next one.
            bytes = 0
            return entries.removeLast()
        }
        let first = entries[taken]
        taken += 1
        if taken == entries.count {
            removeAll()
        } else if taken > 1024, taken > entries.count / 2 {
            entries.removeFirst(taken)
            taken = 0
        }
        return first
    }

    mutating func removeAll() {
        entries.removeAll()
        (taken, bytes) = (0, 0)
    }

    /// Removes all events except the `end` and `cancel` events of gestures whose `begin` event is not queued here.
    /// - Returns: the gestures whose `begin` event was removed and whose end is not queued.
    mutating func removeMost() -> Set<GestureKey> {
        var begun: Set<GestureKey> = []
        var ends: [GestureClient.Event] = []
        for case .gesture(let gesture) in waiting {
            switch gesture.phase {
            case .begin: begun.insert(GestureKey(gesture))
            case .end, .cancel:
                if begun.remove(GestureKey(gesture)) == nil { ends.append(.gesture(gesture)) }
            case .update, nil: break
            }
        }
        removeAll()
        entries = ends
        return begun
    }
}

/// Identifies a gesture by the members that all its lines share.
struct GestureKey: Hashable {
    private let region: String
    private let kind: GestureClient.Gesture.Kind
    private let name: String
    private let sequence: Int

    init(_ gesture: GestureClient.Gesture) {
        (region, kind, name, sequence) = (gesture.region, gesture.kind, gesture.name, gesture.sequence)
    }
}
