// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GesturePipeline
import TouchSharing

/// Collects what panels tell, and returns one explanation for each sequence of each region as soon as it is complete.
///
/// Time advances with the events. With live ones, also call `advance`, so that explanations are completed when no more
/// events arrive.
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
        /// The slot of a contact that a filter hides.
        var hidden: Int?
    }

    private struct Open {
        let key: Key
        var explanation: Explanation
        /// The contacts that are down.
        var live: Set<Int64?> = []
        /// Whether there was a line about one of its gestures.
        var isTold = false
    }

    /// The memory of one panel.
    private struct Panel {
        /// The time at which its events were last lost, in microseconds.
        var gap: Int64?
        /// The last touch that has woken the display.
        var wake: Explanation.Wake?
        /// The slots of contacts that regions see or have seen, which the explanations of those regions cover.
        var seen: Set<Int> = []
        var lifts = RecentLifts()

        mutating func follow(_ touches: TouchesReport) {
            seen = Set(touches.contacts.map(\.slot)).union(seen.intersection(touches.hidden.map(\.slot)))
            lifts.follow(touches)
        }
    }

    var regions: [GestureClient.Region]
    /// The sizes of pixels, by device.
    var pixels: [String: PixelSize] = [:]
    private var panels: [String: Panel] = [:]
    /// The explanations that are not complete, in the order in which they began.
    private var open: [Open] = []
    private var explained: Set<Key> = []
    /// The current scene; `nil` if it is not known.
    var scene: String?

    init(_ regions: [GestureClient.Region] = []) { self.regions = regions }

    /// - Returns: the explanations that are now complete.
    mutating func take(_ event: StoryEvent) -> [Explanation] {
        let (device, time) = (event.device, event.time)
        var done = advance(to: time)
        switch event.content {
        case .gesture(let gesture, let region, let sequence):
            change(Key(device: device, region: region, sequence: sequence), time) { $0.note(gesture) }
        case .failed(let failure):
            let key = Key(device: device, region: failure.region, sequence: Int64(failure.sequence))
            change(key, time) { $0.failed.append(failure) }
        case .touches(let touches): follow(touches, device)
        case .wake(let reason):
            let scene = reason == WakeGuard.Reason.scene.rawValue ? scene : nil
            panels[device, default: Panel()].wake = .init(reason: reason, scene: scene, time: time)
        case .scene(let scene): self.scene = scene
        case .gap: panels[device, default: Panel()].gap = time
        case .time: break
        }
        done += advance(to: time)
        return done
    }

    /// - Parameter now: the time; `.max`: no more lines will come.
    /// - Returns: the explanations for which no line has arrived for `patience`, and which are therefore complete.
    mutating func advance(to now: Int64) -> [Explanation] {
        // Called twice, because an ancestor's explanation comes after the owner's.
        (take(now) + take(now)).sorted { $0.order < $1.order }
    }

    /// Whether an explanation has no contacts that are down, so that `advance` can complete it.
    var isWaiting: Bool { open.contains { $0.live.isEmpty } }

    /// Whether a touch of a panel that began at this time is not complete.
    func isOpen(_ device: String, since time: Int64) -> Bool {
        open.contains { $0.key.device == device && $0.explanation.time == time && $0.key.hidden == nil }
    }

    private mutating func change(_ key: Key, _ time: Int64, _ body: (inout Explanation) -> Void) {
        let index = index(of: key, time)
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

    /// Handles first the lifts, then the landings and movements.
    private mutating func follow(_ touches: TouchesReport, _ device: String) {
        let (pixel, time) = (pixels[device], touches.time)
        var panel = panels[device] ?? Panel()
        panel.follow(touches)
        panels[device] = panel
        let routes = routes(of: touches, device, seen: panel.seen)
        let wasGap = panel.gap == time
        for index in open.indices where open[index].key.device == device {
            let key = open[index].key
            for id in open[index].live where !routes.contains(where: { $0.key == key && $0.contact.id == id }) {
                open[index].live.remove(id)
                open[index].explanation.change(id) {
                    ($0.lifted, $0.loss) = (time, Explanation.Loss(of: $0, touches, wasGap: wasGap))
                    let slot = $0.slot
                    $0.add(touches.hidden.first { $0.slot == slot && $0.receiver?.kept != nil }?.receiver, time)
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
                open[index].explanation.filter = route.contact.filter
                if route.contact.filter == ContactFilter.wake.word { open[index].explanation.wake = panel.wake }
            }
            if open[index].live.insert(route.contact.id).inserted {
                let isBounce =
                    route.role != .ignored
                    && route.contact.receiver?.kept == ApplicationFilter.Rule.minGap.rawValue
                open[index].explanation.land(
                    route.contact, pixel, time,
                    isBounce ? pixel.map { panel.lifts.distances(to: route.contact, $0, at: time) } : nil)
                if let id = route.contact.id { noteSeers(of: id, device) }
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
    private mutating func noteSeers(of contact: Int64, _ device: String) {
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
        let contact: TouchesReport.Contact
        let role: Explanation.Role
        /// For an ancestor: the region in which the contact landed.
        var owner: String?
    }

    /// Returns an entry for each region and each contact that it gets.
    /// - Parameter seen: the slots of contacts that a filter hides only now.
    private func routes(of touches: TouchesReport, _ device: String, seen: Set<Int>) -> [Route] {
        let contacts = Dictionary(touches.contacts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let others = touches.further.flatMap { other in
            let isOnlooker = regions.contains { $0.device == device && $0.id == other.region.safe && $0.isPass }
            let key = Key(device: device, region: other.region.safe, sequence: other.sequence)
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
                key: Key(device: device, region: contact.region?.safe, sequence: contact.sequence),
                contact: contact, role: contact.region == nil ? .none : .owner)
        }
        let hidden = touches.hidden.filter { !seen.contains($0.slot) }.map { contact in
            Route(key: Key(device: device, hidden: contact.slot), contact: contact, role: .ignored)
        }
        return own + others + hidden
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
                guard [.owner, .none, .ignored].contains(complete.explanation.role) else { continue }
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
            if explanation.region == nil || (value.isTold && isAllTold(explanation)) { return true }
            return now - max(end, explanation.lastTime) > Self.patience
        }
        guard value.live.isEmpty else { return false }
        let isTouched = open.contains {
            $0.key.device == value.key.device && !$0.live.isEmpty && $0.key.hidden == nil
        }
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
