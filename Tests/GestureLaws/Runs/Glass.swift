// SPDX-License-Identifier: MIT
import GestureEngine

/// Follows the contacts on the whole glass, independently of the regions.
struct Glass {
    /// The path of the only contact since the glass was empty. Changes at the same time are one movement.
    private struct Way {
        var time: Timestamp
        /// The position before `time`.
        var base: Point
        /// The last movement along each axis before `time`; `movement` includes the one at `time`.
        var before = Vector.zero
        var movement = Vector.zero

        mutating func move(to position: Point, at now: Timestamp, landed: Timestamp) {
            guard now > landed else { return base = position }
            let step = position - base
            movement = Vector(
                dx: step.dx == 0 ? before.dx : step.dx, dy: step.dy == 0 ? before.dy : step.dy)
        }
    }

    /// The number of contacts after each change, with the time of the change.
    private var counts: [(since: Timestamp, count: Int)] = []
    private var down: [ContactID: Point] = [:]
    private var way: Way?
    /// The reported positions of the only contact.
    private var path: [(time: Timestamp, position: Point)] = []
    private var landed = Timestamp(microseconds: 0)

    /// The last movement along each axis of the only contact since the glass was empty; `nil` if there was another
    /// contact, or if the path is not known completely.
    var onlyMovement: Vector? { way?.movement }

    mutating func follow(_ change: ContactChange, at time: Timestamp) {
        let former = down[change.id]
        switch change.kind {
        case .landed:
            guard former == nil else { return }
            way = down.isEmpty ? Way(time: time, base: change.position) : nil
            landed = time
            path = [(time, change.position)]
            down[change.id] = change.position
        case .moved, .lifted:
            guard let former else { return }
            if let known = way, time > known.time { way = Way(time: time, base: former, before: known.movement) }
            way?.move(to: change.position, at: time, landed: landed)
            if way != nil, change.kind == .moved || change.position != former { note(change.position, at: time) }
            down[change.id] = change.kind == .lifted ? nil : change.position
        case .resynchronized, .cancelled:
            guard former != nil else { return }
            way = nil
            down[change.id] = change.kind == .resynchronized ? change.position : nil
        }
        counts.append((time, down.count))
    }

    private mutating func note(_ position: Point, at time: Timestamp) {
        if path.last?.time == time { path.removeLast() }
        if path.count > 1000 { path.removeFirst(500) }
        path.append((time, position))
    }

    /// The distance by which the only contact has come back against a direction within the 100 ms before its last report.
    /// - Parameter start: the position at which a region received the contact; the path before it is ignored.
    func wayBack(against direction: Vector, from start: Point) -> Double {
        guard let end = path.last else { return 0 }
        let first = path.lastIndex { $0.position == start } ?? path.startIndex
        var back = 0.0
        for (time, position) in path[first...] where end.time - time <= .milliseconds(100) {
            let moved = end.position - position
            back = max(back, -(moved.dx * direction.dx + moved.dy * direction.dy) / direction.length)
        }
        return back
    }

    /// The maximum number of contacts that were down at the same time between `start` and `end`.
    func most(from start: Timestamp, to end: Timestamp) -> Int {
        var most = 0
        for (index, entry) in counts.enumerated() {
            let isOver = index + 1 < counts.count && counts[index + 1].since < start
            if !isOver, entry.since <= end { most = max(most, entry.count) }
        }
        return most
    }
}
