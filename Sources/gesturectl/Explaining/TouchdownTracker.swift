// SPDX-License-Identifier: MIT
import GestureProtocol

/// Which fingers are where, from `touches` lines: the fingers of each region and of its ancestors,
/// and those that are nobody's.
struct TouchdownTracker {
    private struct Place: Hashable {
        var device: String
        /// nil: no region.
        var region: String?
    }

    /// Fingers that are down: where they are told.
    private var live: [String: [Int64: [Place]]] = [:]
    /// The latest of each region.
    private var latest: [Place: Touchdown] = [:]
    /// Those without a finger that no explanation has taken yet, in the order of their ends.
    private(set) var ended: [(device: String, region: String?, touchdown: Touchdown)] = []

    func isTouched(_ device: String) -> Bool { live[device]?.isEmpty == false }

    /// The fingers that a new sequence of a region is about; each is given once.
    func take(device: String, region: String) -> Touchdown? {
        guard let touchdown = latest[Place(device: device, region: region)], !touchdown.isTaken else { return nil }
        touchdown.isTaken = true
        return touchdown
    }

    /// What nobody has said anything about, and ended before `time`: in no region, or in one whose
    /// gestures are silent.
    mutating func silent(before time: Int64) -> [Explanation] {
        var silent: [Explanation] = []
        ended.removeAll { entry in
            if entry.touchdown.isTaken { return true }
            guard let end = entry.touchdown.end, entry.region == nil || end < time else { return false }
            // An ancestor's silence says nothing.
            guard entry.touchdown.role != .ancestor else { return true }
            entry.touchdown.isTaken = true
            silent.append(
                Explanation(
                    device: entry.device, region: entry.region, role: entry.touchdown.role,
                    contacts: entry.touchdown.contacts, time: entry.touchdown.time, lastTime: end))
            return true
        }
        return silent
    }

    /// Takes over one `touches` line.
    mutating func follow(_ event: JSONValue, _ regions: [ExplainedRegion]) {
        guard let device = event["device"]?.string?.safe else { return }
        let time = event["time_us"]?.integer ?? 0
        var known = live[device] ?? [:]
        var seen: Set<Int64> = []
        for contact in event["contacts"]?.elements ?? [] {
            guard let id = contact["id"]?.integer, let x = contact["x"]?.number, let y = contact["y"]?.number else {
                continue
            }
            seen.insert(id)
            let point = Explanation.Point(x: x, y: y)
            let places = Self.places(device, contact["region"]?.string?.safe, regions)
            if let old = known[id], old != places {
                // Handed over to another region.
                for place in old { lift(id, from: place, time) }
                known[id] = nil
            }
            if known[id] == nil { for place in places { land(id, in: place, owner: places[0], point, time) } }
            for place in places { latest[place]?.move(id, to: point) }
            known[id] = places
        }
        for (id, places) in known where !seen.contains(id) {
            for place in places { lift(id, from: place, time) }
            known[id] = nil
        }
        live[device] = known
    }

    private mutating func land(
        _ id: Int64, in place: Place, owner: Place, _ point: Explanation.Point, _ time: Int64
    ) {
        var touchdown = latest[place]
        if touchdown == nil || touchdown?.isOver == true {
            let role: Explanation.Role = place.region == nil ? .none : place == owner ? .owner : .ancestor
            touchdown = Touchdown(role: role, owner: place == owner ? nil : owner.region, time: time)
            latest[place] = touchdown
        }
        touchdown?.land(id, at: point, time)
    }

    private mutating func lift(_ id: Int64, from place: Place, _ time: Int64) {
        guard let touchdown = latest[place] else { return }
        touchdown.lift(id, time)
        if touchdown.isOver { ended.append((place.device, place.region, touchdown)) }
    }

    /// The owner and its ancestors; one place that is no region when nobody owns it.
    private static func places(_ device: String, _ owner: String?, _ regions: [ExplainedRegion]) -> [Place] {
        var places = [Place(device: device, region: owner)]
        var next = owner
        while let id = next, places.count < 64 {
            next = regions.first { $0.device == device && $0.id == id }?.parent
            if let next { places.append(Place(device: device, region: next)) }
        }
        return places
    }
}
