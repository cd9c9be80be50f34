// SPDX-License-Identifier: MIT
import GestureClient

/// The contacts of one region, from the first that lands until the last one lifts: a sequence whose number no event
/// has told yet.
final class Touchdown {
    let owner: String?
    let role: Explanation.Role
    let time: Int64
    private(set) var contacts: [Explanation.Contact] = []
    private var live: Set<Int> = []
    /// It belongs to an explanation.
    var isTaken = false

    init(role: Explanation.Role, owner: String?, time: Int64) {
        (self.role, self.owner, self.time) = (role, owner, time)
    }

    var isOver: Bool { live.isEmpty }
    /// When the last contact lifted; nil while there is one.
    var end: Int64? { isOver ? contacts.compactMap(\.lifted).max() : nil }

    /// From where its last contact is.
    func squaredDistance(to point: GestureClient.Point) -> Double {
        guard let last = contacts.last?.to else { return .infinity }
        return (last.x - point.x) * (last.x - point.x) + (last.y - point.y) * (last.y - point.y)
    }

    func land(_ id: Int, at point: GestureClient.Point, _ time: Int64) {
        contacts.append(Explanation.Contact(id: id, from: point, to: point, landed: time))
        live.insert(id)
    }

    func move(_ id: Int, to point: GestureClient.Point, receiver: String?, _ time: Int64) {
        guard let index = contacts.lastIndex(where: { $0.id == id }) else { return }
        contacts[index].to = point
        if let receiver, receiver != contacts[index].receivers.last?.word {
            contacts[index].receivers.append(Explanation.Receiver(word: receiver, since: time))
        }
    }

    /// An application gets a contact that was held.
    func give(_ id: Int, _ time: Int64) {
        guard let index = contacts.lastIndex(where: { $0.id == id }) else { return }
        contacts[index].receivers.append(Explanation.Receiver(word: "both", since: time))
    }

    func lift(_ id: Int, _ time: Int64) {
        live.remove(id)
        if let index = contacts.lastIndex(where: { $0.id == id }) { contacts[index].lifted = time }
    }
}

/// Follows contacts by `touches` lines: those of each region and its ancestors, and those in no region.
///
/// As the engine does: a contact that lands where a drag, pinch or rotation is under way belongs to that region alone.
struct TouchdownTracker {
    private struct RegionKey: Hashable {
        var device: String
        /// nil: no region.
        var region: String?
        /// Where each contact is a sequence of its own: which one.
        var contact: Int?
    }

    /// A contact that is down.
    private struct Live {
        var owner: String?
        /// Where it counts.
        var keys: [RegionKey]
    }

    /// By device and contact.
    private var live: [String: [Int: Live]] = [:]
    /// The latest one of each region.
    private var latest: [RegionKey: Touchdown] = [:]
    /// By device and slot: contacts that a filter has hidden since they landed. Others are explained by their regions.
    private var hidden: [String: [Int: Explanation]] = [:]
    private var unseen: [Explanation] = []
    /// By device: the slots of contacts that regions see, or have seen.
    private var seen: [String: Set<Int>] = [:]
    /// Those that are over and belong to no explanation, in the order of their ends.
    private(set) var ended: [(device: String, region: String?, touchdown: Touchdown)] = []
    /// The names of the gestures that have claimed the contacts of a region.
    private var claims: [RegionKey: Set<String>] = [:]

    func isTouched(_ device: String) -> Bool { live[device]?.isEmpty == false }

    /// The contacts of a new sequence of a region; each touchdown is returned once.
    /// - Parameters:
    ///   - point: of the sequence's first line, if that has one.
    ///   - time: of that line.
    func take(device: String, region: String, at point: GestureClient.Point?, _ time: Int64) -> Touchdown? {
        let all = latest[RegionKey(device: device, region: region)].map { [$0] } ?? separate(device, region)
        let free = all.filter { !$0.isTaken }.sorted { $0.time < $1.time }
        let nearest = point.flatMap { point in
            free.min { $0.squaredDistance(to: point) < $1.squaredDistance(to: point) }
        }
        guard let touchdown = nearest ?? free.first(where: { $0.end == time }) ?? free.first else { return nil }
        touchdown.isTaken = true
        return touchdown
    }

    /// Of a region in which each contact is a sequence of its own.
    private func separate(_ device: String, _ region: String) -> [Touchdown] {
        latest.filter { $0.key.device == device && $0.key.region == region && $0.key.contact != nil }.map(\.value)
    }

    /// Touches without an event that ended before `time`: in no region, or in one whose gestures are silent.
    mutating func silent(before time: Int64) -> [Explanation] {
        var silent = unseen
        unseen = []
        if time == .max {
            silent += hidden.values.flatMap(\.values)
            hidden = [:]
        }
        latest = latest.filter { $0.key.contact == nil || !($0.value.isTaken && $0.value.isOver) }
        ended.removeAll { entry in
            if entry.touchdown.isTaken { return true }
            guard let end = entry.touchdown.end, entry.region == nil || end < time else { return false }
            // An ancestor without events is nothing to explain.
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

    /// Follows contacts that a filter hides.
    private mutating func followHidden(_ touches: GestureClient.Touches, _ device: String, _ time: Int64) {
        var known = hidden[device] ?? [:]
        let down = Set(touches.ignored.map(\.slot))
        let seen = Set(touches.contacts.map(\.slot)).union(self.seen[device]?.intersection(down) ?? [])
        self.seen[device] = seen
        for contact in touches.ignored where !seen.contains(contact.slot) {
            let landed = Explanation.Contact(from: contact.position, to: contact.position, landed: time)
            let first = Explanation(
                device: device, filter: contact.filter.safe, role: .ignored, contacts: [landed], time: time,
                lastTime: time)
            known[contact.slot, default: first].contacts[0].to = contact.position
        }
        for (slot, explanation) in known where !down.contains(slot) || seen.contains(slot) {
            var explanation = explanation
            explanation.contacts[0].lifted = time
            explanation.lastTime = time
            unseen.append(explanation)
            known[slot] = nil
        }
        hidden[device] = known
    }

    /// Handles a `gesture` line of a gesture that claims contacts while it is under way.
    mutating func follow(claim name: String, device: String, region: String, isUnderWay: Bool) {
        let key = RegionKey(device: device, region: region)
        if isUnderWay { claims[key, default: []].insert(name) } else { claims[key]?.remove(name) }
    }

    /// Handles a `touches` line. Of one frame, the lifts come first.
    mutating func follow(_ touches: GestureClient.Touches, _ regions: [GestureClient.Region]) {
        let device = touches.device.safe
        followHidden(touches, device, Int64(touches.time))
        let time = Int64(touches.time)
        var known = live[device] ?? [:]
        let seen = Set(touches.contacts.map(\.id))
        for (id, contact) in known where !seen.contains(id) {
            for key in contact.keys { lift(id, from: key, time) }
            known[id] = nil
        }
        for contact in touches.contacts {
            let id = contact.id
            let owner = contact.region?.safe
            if let old = known[id], old.owner != owner {
                // Handed over to another region.
                for key in old.keys { lift(id, from: key, time) }
                known[id] = nil
            }
            let keys = known[id]?.keys ?? landingKeys(id, device, owner, regions)
            if known[id] == nil {
                for key in keys { land(id, in: key, owner: keys[0], contact.position, time) }
                known[id] = Live(owner: owner, keys: keys)
            }
            for key in keys { latest[key]?.move(id, to: contact.position, receiver: contact.receiver?.safe, time) }
        }
        live[device] = known
        for id in touches.given {
            for (key, touchdown) in latest where key.device == device { touchdown.give(id, time) }
        }
    }

    /// Where a contact that lands now counts: in the owner and its ancestors, or only in the innermost of them that has
    /// claimed the contacts there.
    private func landingKeys(
        _ id: Int, _ device: String, _ owner: String?, _ regions: [GestureClient.Region]
    ) -> [RegionKey] {
        let keys = Self.keys(id, device, owner, regions)
        let claimant = keys.first { key in
            claims[key]?.isEmpty == false
                && !regions.contains { $0.device == device && $0.id == key.region && $0.isPass }
        }
        return claimant.map { [$0] } ?? keys
    }

    private mutating func land(
        _ id: Int, in key: RegionKey, owner: RegionKey, _ point: GestureClient.Point, _ time: Int64
    ) {
        var touchdown = latest[key]
        if touchdown == nil || touchdown?.isOver == true {
            let role: Explanation.Role = key.region == nil ? .none : key == owner ? .owner : .ancestor
            touchdown = Touchdown(role: role, owner: key == owner ? nil : owner.region, time: time)
            latest[key] = touchdown
        }
        touchdown?.land(id, at: point, time)
    }

    private mutating func lift(_ id: Int, from key: RegionKey, _ time: Int64) {
        guard let touchdown = latest[key] else { return }
        touchdown.lift(id, time)
        guard touchdown.isOver else { return }
        claims[key] = nil
        ended.append((key.device, key.region, touchdown))
    }

    /// The owner and its ancestors; without an owner one key without a region.
    private static func keys(
        _ contact: Int, _ device: String, _ owner: String?, _ regions: [GestureClient.Region]
    ) -> [RegionKey] {
        var keys: [RegionKey] = []
        var next = owner
        repeat {
            let region = regions.first { $0.device == device && $0.id == next }
            keys.append(RegionKey(device: device, region: next, contact: region?.isEach == true ? contact : nil))
            next = region?.parent
        } while next != nil && keys.count < 64
        return keys
    }
}
