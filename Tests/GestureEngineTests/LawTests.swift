// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Random touches: whatever the fingers do, these hold.
@Suite("Laws")
struct LawTests {
    private static let regions = [
        region("screen", pass: true, [press, tap(fingers: 3, count: 2), swipe(fingers: 2)]),
        region(
            "list", (0, 0, 100, 100),
            [drag { $0.axis = .vertical }, swipe(), press, tap(), longPress(fingers: 2), tap(fingers: 2)]),
        region("slider", (10, 10, 80, 20), parent: 1, [drag { $0.axis = .horizontal }, press]),
        region(
            "button", (10, 40, 40, 20), parent: 1, [press, tap(wait: true), tap(count: 2), longPress(), repeating()]),
        region(
            "map", (100, 0, 100, 100), [drag { $0.start = 0 }, drag(fingers: 2), press, swipe { $0.when = .threshold }]),
        region(
            "key", (120, 20, 20, 20), parent: 4,
            [.press(PressSettings(progress: .milliseconds(50))), repeating { $0.accelerate = 0.5 }]),
    ]

    @Test("hold for random frames", arguments: UInt64(0)..<64)
    func random(seed: UInt64) {
        var player = RandomPlayer(seed: seed, regions: Self.regions)
        for _ in 0..<400 { player.step() }
        player.finish()
        let violations = player.violations
        #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(3))")
        // A player that touches nothing would prove nothing.
        let eventCount = player.eventCount
        #expect(eventCount > 100)
    }
}

/// Moves up to six contacts about at random, and checks every event.
private struct RandomPlayer: ~Copyable {
    private var engine: GestureEngine
    private var random: SeededGenerator
    private var time = Timestamp(microseconds: 0)
    private var contacts: [(id: ContactID, position: Point)] = []
    private var nextID: Int64 = 1
    private var touched: Set<Int> = []
    private var open: [String: Int] = [:]
    private var closed: Set<String> = []
    private var latest: [SequenceID: Timestamp] = [:]
    private(set) var violations: [String] = []
    private(set) var eventCount = 0

    init(seed: UInt64, regions: [Region]) {
        engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        random = SeededGenerator(seed)
    }

    mutating func step() {
        time = time + Interval(microseconds: Int64.random(in: 0...120_000, using: &random))
        var changes: [ContactChange] = []
        for i in contacts.indices.reversed() {
            let position = moved(contacts[i].position)
            switch Int.random(in: 0..<100, using: &random) {
            case ..<12: changes.append(remove(i, .lifted))
            case ..<14: changes.append(remove(i, .cancelled(.syncLost)))
            case ..<16: changes.append(ContactChange(id: contacts[i].id, kind: .resynchronized, position: position))
            case ..<60: changes.append(move(i, to: position))
            default: break
            }
        }
        if contacts.count < 6, Int.random(in: 0..<100, using: &random) < 25 { changes.append(land()) }
        changes.sort { $0.id < $1.id }
        play(TouchFrame(time: time, changes: changes))
    }

    /// Everything lifts, and time goes on until nothing is pending.
    mutating func finish() {
        var changes: [ContactChange] = []
        while !contacts.isEmpty { changes.append(remove(contacts.count - 1, .lifted)) }
        changes.sort { $0.id < $1.id }
        play(TouchFrame(time: time, changes: changes))
        var events: [GestureEvent] = []
        while let deadline = engine.nextDeadline { engine.advance(to: deadline, into: &events) }
        for event in events { check(event) }
        if !open.isEmpty { violations.append("never ended: \(open.keys.sorted())") }
        if !engine.isIdle { violations.append("not idle afterwards") }
    }

    private mutating func play(_ frame: TouchFrame) {
        var events: [GestureEvent] = []
        engine.process(frame, into: &events)
        for event in events { check(event) }
    }

    private mutating func check(_ event: GestureEvent) {
        eventCount += 1
        let key = "\(event.region).\(event.gesture).\(event.sequence.rawValue)"
        if !touched.contains(event.region) { violations.append("\(key) for a region that nobody touched") }
        if let before = latest[event.sequence], event.time < before { violations.append("\(key) goes back in time") }
        latest[event.sequence] = event.time
        if !event.position.x.isFinite || !event.position.y.isFinite { violations.append("\(key) is nowhere") }
        switch event.phase {
        case nil: break
        case .begin:
            if open[key] != nil || closed.contains(key) { violations.append("\(key) begins twice") }
            open[key] = 1
        case .update:
            if open[key] == nil { violations.append("\(key) updates while it is not open") }
        case .end, .cancel:
            if open.removeValue(forKey: key) == nil { violations.append("\(key) ends without a begin") }
            closed.insert(key)
        }
    }

    private mutating func land() -> ContactChange {
        let position = Point(x: .random(in: 0..<200, using: &random), y: .random(in: 0..<100, using: &random))
        let id = ContactID(nextID)
        nextID += 1
        contacts.append((id, position))
        for (i, region) in engine.regions.enumerated() where region.shape.contains(position) {
            touched.insert(i)
        }
        return ContactChange(id: id, kind: .landed, position: position)
    }

    private mutating func move(_ i: Int, to position: Point) -> ContactChange {
        contacts[i].position = position
        return ContactChange(id: contacts[i].id, kind: .moved, position: position)
    }

    private mutating func remove(_ i: Int, _ kind: ContactChange.Kind) -> ContactChange {
        let contact = contacts.remove(at: i)
        return ContactChange(id: contact.id, kind: kind, position: contact.position)
    }

    /// A jitter, or now and then a leap.
    private mutating func moved(_ point: Point) -> Point {
        let reach = Int.random(in: 0..<3, using: &random) == 0 ? 30.0 : 1.5
        let x = point.x + .random(in: -reach...reach, using: &random)
        let y = point.y + .random(in: -reach...reach, using: &random)
        return Point(x: min(max(x, 0), 199.9), y: min(max(y, 0), 99.9))
    }
}
