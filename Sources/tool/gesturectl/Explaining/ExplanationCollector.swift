// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureProtocol
import TouchSharing

/// Collects `gesture`, `failed` and `touches` lines, and returns one explanation for each sequence of each region as
/// soon as it is complete.
///
/// Time advances with the lines. With live lines, also call `advance`, so that explanations are completed when no
/// more lines arrive.
struct ExplanationCollector {
    /// The time to wait for more lines after the contacts have lifted, in microseconds. It is longer than the gap before
    /// another tap.
    static let patience: Int64 = 1_000_000

    private struct Key: Hashable {
        var device: String
        /// The region; `nil` for touches outside all regions.
        var region: String?
        /// The sequence; `nil` if the region does not pass the contacts to its gestures.
        var sequence: Int64?
    }

    private struct Open {
        let key: Key
        var explanation: Explanation
        /// The contacts that are down.
        var live: Set<Int> = []
        /// Whether there was a line about one of its gestures.
        var isTold = false
    }

    var regions: [GestureClient.Region]
    /// The sizes of pixels, by device.
    var pixels: [String: PixelSize] = [:]
    /// The times at which events of a device were last lost, in microseconds.
    private var gaps: [String: Int64] = [:]
    /// The explanations that are not complete, in the order in which they began.
    private var open: [Open] = []
    private var explained: Set<Key> = []
    /// The current scene; `nil` if it is not known.
    var scene: String?
    /// The contacts that filters hide, by device.
    private var filtered: [String: FilteredContacts] = [:]
    /// The last lifts, by device.
    private var lifts: [String: RecentLifts] = [:]
    /// Contacts that a filter has hidden and that have lifted.
    private var ignored: [Explanation] = []

    init(_ regions: [GestureClient.Region] = []) { self.regions = regions }

    /// Handles one line.
    /// - Returns: the explanations that are now complete.
    mutating func take(_ event: JSONValue) -> [Explanation] {
        let time = Int64(event.time("time_us") ?? 0)
        var done = advance(to: time)
        switch GestureClient.Event(event) {
        case .gesture(let gesture): change(event, time) { $0.note(gesture) }
        case .failed(let failure): change(event, time) { $0.failed.append(failure.safe) }
        case .touches(let touches): follow(touches)
        case .wake(let wake):
            filtered[wake.device.safe, default: FilteredContacts()].wake = .init(
                reason: wake.reason.safe, scene: wake.reason == WakeGuard.Reason.scene.rawValue ? scene : nil,
                time: time)
        case .state(let state): scene = state.scene.safe
        case .configuration(let change): scene = change.scene?.safe ?? scene
        default: if event.isAfterGap, let device = event["device"]?.string?.safe { gaps[device] = time }
        }
        done += advance(to: time)
        return done
    }

    /// - Parameter now: the time; `.max`: no more lines will come.
    /// - Returns: the explanations for which no line has arrived for `patience`, and which are therefore complete.
    mutating func advance(to now: Int64) -> [Explanation] {
        // Called twice, because an ancestor's explanation comes after the owner's.
        var done = take(now) + take(now) + ignored
        ignored = []
        if now == .max { for device in filtered.keys { done += filtered[device]?.end() ?? [] } }
        return done.sorted { ($0.time, $0.role == .ancestor ? 1 : 0) < ($1.time, $1.role == .ancestor ? 1 : 0) }
    }

    /// Whether an explanation has no contacts that are down, so that `advance` can complete it.
    var isWaiting: Bool { open.contains { $0.live.isEmpty } }

    /// Whether a touch of a panel that began at this time is not complete.
    func isOpen(_ device: String, since time: Int64) -> Bool {
        open.contains { $0.key.device == device && $0.explanation.time == time }
    }

    private mutating func change(_ event: JSONValue, _ time: Int64, _ body: (inout Explanation) -> Void) {
        guard let device = event["device"]?.string?.safe, let region = event["region"]?.string?.safe,
            let sequence = event["sequence"]?.integer
        else { return }
        let index = index(of: Key(device: device, region: region, sequence: sequence), time)
        body(&open[index].explanation)
        open[index].explanation.lastTime = time
        open[index].isTold = true
    }

    /// Returns the index of the open explanation with this key, or of a new one.
    private mutating func index(of key: Key, _ time: Int64) -> Int {
        // Without a sequence, contacts belong together as long as one of them is down.
        let known = open.firstIndex { $0.key == key && (key.sequence != nil || !$0.live.isEmpty) }
        if let known { return known }
        let explanation = Explanation(
            device: key.device, region: key.region, sequence: key.sequence, role: .onlooker,
            isLate: explained.contains(key), time: time, lastTime: time)
        open.append(Open(key: key, explanation: explanation))
        return open.count - 1
    }

    // MARK: Contacts

    /// Handles a `touches` line: first its lifts, then its landings and movements.
    private mutating func follow(_ touches: GestureClient.Touches) {
        let (device, time) = (touches.device.safe, Int64(touches.time))
        let pixel = pixels[device]
        ignored += filtered[device, default: FilteredContacts()].follow(touches, pixel)
        lifts[device, default: RecentLifts()].follow(touches)
        let routes = routes(of: touches, device)
        let wasGap = gaps[device] == time
        for index in open.indices where open[index].key.device == device {
            let key = open[index].key
            for id in open[index].live where !routes.contains(where: { $0.key == key && $0.contact.id == id }) {
                open[index].live.remove(id)
                open[index].explanation.change(id) {
                    ($0.lifted, $0.loss) = (time, Explanation.Loss(of: $0, touches, wasGap: wasGap))
                    let slot = $0.slot
                    let hidden = touches.ignored.first { $0.slot == slot && $0.kept != nil }
                    $0.add(hidden?.receiver, hidden?.kept, time)
                }
            }
        }
        for route in routes {
            let index = index(of: route.key, time)
            if open[index].explanation.contacts.isEmpty {
                open[index].explanation.begin(route.role, route.owner, time)
                if route.role == .owner, let owner = route.key.region {
                    open[index].explanation.covered = regions.covered(
                        by: owner, on: device, at: route.contact.position, pixel ?? PixelSize())
                }
            }
            if open[index].live.insert(route.contact.id).inserted {
                let isBounce = route.contact.kept == ApplicationFilter.Rule.minGap.rawValue
                open[index].explanation.land(
                    route.contact, pixel, time,
                    isBounce ? pixel.flatMap { lifts[device]?.distances(to: route.contact, $0, at: time) } : nil)
                noteSeers(of: route.contact.id, device)
            }
            open[index].explanation.move(route.contact, time)
        }
        for id in touches.given {
            for index in open.indices where open[index].key.device == device {
                // From now on the application gets this contact too, which was held before.
                open[index].explanation.change(id) { $0.receivers.append(.init(word: "both", since: time)) }
            }
        }
    }

    /// Notes which regions get a contact, at the same time or one after the other. They are not covered.
    private mutating func noteSeers(of contact: Int, _ device: String) {
        let places = open.indices.filter { index in
            open[index].key.device == device && open[index].explanation.contacts.contains { $0.id == contact }
        }
        let seers = Set(places.compactMap { open[$0].key.region })
        for index in places {
            let others = seers.filter { $0 != open[index].key.region }
            open[index].explanation.seers.formUnion(others)
            open[index].explanation.covered.removeAll { others.contains($0.id) }
        }
    }

    private struct Route {
        let key: Key
        let contact: GestureClient.Contact
        let role: Explanation.Role
        /// For an ancestor: the region in which the contact landed.
        var owner: String?
    }

    /// Returns an entry for each region and each contact that it gets.
    private func routes(of touches: GestureClient.Touches, _ device: String) -> [Route] {
        let contacts = Dictionary(touches.contacts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let others = touches.seenBy.flatMap { other in
            let isOnlooker = regions.contains { $0.device == device && $0.id == other.region.safe && $0.isPass }
            let key = Key(device: device, region: other.region.safe, sequence: Int64(other.sequence))
            return other.contacts.compactMap { contacts[$0] }.map { contact in
                Route(
                    key: key, contact: contact, role: isOnlooker ? .onlooker : .ancestor,
                    owner: isOnlooker ? nil : contact.region?.safe)
            }
        }
        let told = Set(others.map(\.contact.id))
        let own = touches.contacts.compactMap { contact -> Route? in
            // A contact that has joined the drag of an ancestor of its region belongs to that ancestor.
            if contact.sequence == nil, contact.region != nil, told.contains(contact.id) { return nil }
            return Route(
                key: Key(
                    device: device, region: contact.region?.safe, sequence: contact.sequence.map { Int64($0) }),
                contact: contact, role: contact.region == nil ? .none : .owner)
        }
        return own + others
    }

    // MARK: Completion

    private mutating func take(_ now: Int64) -> [Explanation] {
        var done: [Explanation] = []
        for index in open.indices.reversed() where isComplete(open[index], now) {
            var complete = open.remove(at: index)
            // Limits the memory of a tool that runs for days.
            if explained.count > 1000 { explained = [] }
            if complete.isTold {
                explained.insert(complete.key)
            } else {
                // A region without events that does not own a contact is not explained.
                guard complete.explanation.role == .owner || complete.explanation.role == .none else { continue }
                complete.explanation.sequence = nil
                complete.explanation.lastTime = complete.explanation.end ?? complete.explanation.lastTime
            }
            complete.explanation.nameCauses()
            done.append(complete.explanation)
        }
        return done
    }

    private func isComplete(_ value: Open, _ now: Int64) -> Bool {
        if now == .max { return true }
        let explanation = value.explanation
        if let end = explanation.end {
            guard value.live.isEmpty, !isHeldUp(explanation) else { return false }
            if explanation.role == .none || (value.isTold && isAllTold(explanation)) { return true }
            return now - max(end, explanation.lastTime) > Self.patience
        }
        guard value.live.isEmpty else { return false }
        let isTouched = open.contains { $0.key.device == value.key.device && !$0.live.isEmpty }
        return (explanation.isLate || !isTouched) && now - explanation.lastTime > Self.patience
    }

    /// Whether this explanation of an ancestor must wait, because the touch's owner is explained first.
    private func isHeldUp(_ explanation: Explanation) -> Bool {
        explanation.role == .ancestor
            && open.contains {
                $0.explanation.role == .owner && $0.key.device == explanation.device
                    && $0.key.region == explanation.owner && $0.explanation.time == explanation.time
            }
    }

    /// Whether every gesture of the region was recognized or failed. Patterns are left out, because they span
    /// many sequences.
    private func isAllTold(_ explanation: Explanation) -> Bool {
        let region = regions.first { $0.device == explanation.device && $0.id == explanation.region }
        guard let region, explanation.recognized.allSatisfy(\.isOver) else { return false }
        return region.gestures.allSatisfy { gesture in
            gesture.kind == .pattern || explanation.recognized.contains { $0.name == gesture.name }
                || explanation.failed.contains { $0.name == gesture.name }
        }
    }
}

extension Explanation {
    fileprivate mutating func note(_ gesture: GestureClient.Gesture) {
        let (kind, name) = (gesture.kind.rawValue.safe, gesture.name.safe)
        let isOver = gesture.phase != .begin && gesture.phase != .update
        let cancelled = gesture.phase == .cancel ? (gesture.reason?.rawValue ?? "cancel").safe : nil
        let time = gesture.time.map { Int64($0) }
        let cancelTime = cancelled == nil ? nil : time
        guard let index = recognized.firstIndex(where: { $0.kind == kind && $0.name == name }) else {
            recognized.append(
                Recognized(
                    kind: kind, name: name, cancelled: cancelled, cancelTime: cancelTime, isOver: isOver, time: time,
                    score: gesture.score))
            return
        }
        if gesture.phase == nil { recognized[index].times += 1 }
        recognized[index].isOver = isOver
        (recognized[index].cancelled, recognized[index].cancelTime) = (cancelled, cancelTime)
    }

    /// The time at which the last contact lifted; `nil` if no contact has lifted.
    fileprivate var end: Int64? { contacts.compactMap(\.lifted).max() }

    fileprivate mutating func begin(_ role: Role, _ owner: String?, _ time: Int64) {
        (self.role, self.owner, self.time) = (role, owner, min(self.time, time))
    }

    fileprivate mutating func land(
        _ contact: GestureClient.Contact, _ pixel: PixelSize?, _ time: Int64, _ lifts: [RecentLifts.Distance]?
    ) {
        contacts.append(
            Contact(
                id: contact.id, slot: contact.slot, from: contact.position, to: contact.position,
                path: ContactPath(from: contact.position, pixel), landed: time, lifts: lifts ?? []))
    }

    fileprivate mutating func move(_ contact: GestureClient.Contact, _ time: Int64) {
        change(contact.id) {
            ($0.slot, $0.to) = (contact.slot, contact.position)
            $0.path.move(to: contact.position)
            $0.add(contact.receiver, contact.kept, time)
        }
    }

    fileprivate mutating func change(_ id: Int, _ body: (inout Contact) -> Void) {
        if let index = contacts.lastIndex(where: { $0.id == id }) { body(&contacts[index]) }
    }
}
