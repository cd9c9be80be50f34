// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol

/// Collects `gesture`, `failed` and `touches` lines, and returns one explanation for each sequence of each region as
/// soon as it is complete.
///
/// Its time is that of the lines. With live lines `advance` must be called too.
struct ExplanationCollector {
    /// How long it waits for more after the contacts have lifted, in microseconds: longer than the gap in which
    /// another tap may come.
    static let patience: Int64 = 1_000_000

    private struct Key: Hashable {
        var device: String
        var region: String
        var sequence: Int64
    }

    private struct Open {
        let key: Key
        var explanation: Explanation
        var touchdown: Touchdown?
        /// Where its first line says that it is.
        let place: GestureClient.Point?
    }

    /// The current ones.
    var regions: [GestureClient.Region]
    private var tracker = TouchdownTracker()
    /// In the order in which they began.
    private var open: [Open] = []
    private var explained: Set<Key> = []

    init(_ regions: [GestureClient.Region] = []) { self.regions = regions }

    /// Takes one line.
    /// - Returns: what is complete now.
    mutating func take(_ event: JSONValue) -> [Explanation] {
        let time = Int64(event.time("time_us") ?? 0)
        var done = advance(to: time)
        switch GestureClient.Event(event) {
        case .gesture(let gesture):
            followClaim(gesture)
            change(event, time) { $0.note(gesture) }
        case .failed(let failure):
            change(event, time) { $0.failed.append(failure.safe) }
        case .touches(let touches):
            tracker.follow(touches, regions)
            for index in open.indices where open[index].touchdown == nil { link(index) }
        default: break
        }
        done += advance(to: time)
        return done
    }

    /// - Parameter now: `.max`: nothing more will come.
    /// - Returns: what is complete because nothing has come for long enough.
    mutating func advance(to now: Int64) -> [Explanation] {
        // Twice: an ancestor's explanation comes after the owner's.
        var done = take(now) + take(now)
        done += tracker.silent(before: now == .max ? now : now - Self.patience)
        return done.sorted { ($0.time, $0.role == .ancestor ? 1 : 0) < ($1.time, $1.role == .ancestor ? 1 : 0) }
    }

    /// Whether something is complete when time passes.
    var isWaiting: Bool { !open.isEmpty || !tracker.ended.isEmpty }

    private mutating func followClaim(_ gesture: GestureClient.Gesture) {
        guard let device = gesture.device?.safe, [.drag, .pinch, .rotate].contains(gesture.kind) else { return }
        let isUnderWay = gesture.phase == .begin || gesture.phase == .update
        tracker.follow(claim: gesture.name, device: device, region: gesture.region.safe, isUnderWay: isUnderWay)
    }

    private mutating func change(_ event: JSONValue, _ time: Int64, _ body: (inout Explanation) -> Void) {
        guard let device = event["device"]?.string?.safe, let region = event["region"]?.string?.safe,
            let sequence = event["sequence"]?.integer
        else { return }
        let key = Key(device: device, region: region, sequence: sequence)
        let index = open.firstIndex { $0.key == key } ?? begin(key, time, event.point("x", "y"))
        body(&open[index].explanation)
        open[index].explanation.lastTime = time
    }

    private mutating func begin(_ key: Key, _ time: Int64, _ place: GestureClient.Point?) -> Int {
        let explanation = Explanation(
            device: key.device, region: key.region, sequence: key.sequence, role: .onlooker,
            isLate: explained.contains(key), time: time, lastTime: time)
        open.append(Open(key: key, explanation: explanation, place: place))
        if !explanation.isLate { link(open.count - 1) }
        return open.count - 1
    }

    /// Finds the contacts of an explanation.
    private mutating func link(_ index: Int) {
        let key = open[index].key
        guard !open[index].explanation.isLate,
            let touchdown = tracker.take(
                device: key.device, region: key.region, at: open[index].place, open[index].explanation.lastTime)
        else { return }
        open[index].touchdown = touchdown
        open[index].explanation.role = touchdown.role
        open[index].explanation.owner = touchdown.owner
        open[index].explanation.time = min(open[index].explanation.time, touchdown.time)
    }

    private mutating func take(_ now: Int64) -> [Explanation] {
        var done: [Explanation] = []
        for index in open.indices.reversed() where isComplete(open[index], now) {
            var complete = open.remove(at: index)
            complete.explanation.contacts = complete.touchdown?.contacts ?? []
            // Few are remembered, for a tool that runs for days.
            if explained.count > 1000 { explained = [] }
            explained.insert(complete.key)
            done.append(complete.explanation)
        }
        return done
    }

    private func isComplete(_ value: Open, _ now: Int64) -> Bool {
        if now == .max { return true }
        let explanation = value.explanation
        if let touchdown = value.touchdown {
            guard let end = touchdown.end, !isHeldUp(explanation) else { return false }
            return isAllTold(explanation) || now - max(end, explanation.lastTime) > Self.patience
        }
        guard !tracker.isTouched(explanation.device) || explanation.isLate else { return false }
        return now - explanation.lastTime > Self.patience
    }

    /// The owner of a touch is explained first.
    private func isHeldUp(_ explanation: Explanation) -> Bool {
        explanation.role == .ancestor
            && open.contains {
                $0.explanation.role == .owner && $0.key.device == explanation.device
                    && $0.key.region == explanation.owner && $0.explanation.time == explanation.time
            }
    }

    /// Every gesture of the region was recognized or failed. Patterns go on over many sequences.
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
        guard let index = recognized.firstIndex(where: { $0.kind == kind && $0.name == name }) else {
            let time = gesture.time.map { Int64($0) }
            recognized.append(Recognized(kind: kind, name: name, cancelled: cancelled, isOver: isOver, time: time))
            return
        }
        if gesture.phase == nil { recognized[index].times += 1 }
        recognized[index].isOver = isOver
        recognized[index].cancelled = cancelled
    }
}
