// SPDX-License-Identifier: MIT
import CAllocationCount
import GestureEngine
import LinuxSystem

/// The gesture engine without a pipeline, on a panel of 400 x 300 mm that is covered with regions of all kinds. The
/// ten contacts are at the same positions for any number of regions, each in a region of its own.
final class EngineScale {
    /// Nanoseconds per frame, and the allocations of all frames together.
    struct Cost {
        var nanoseconds = Double.infinity
        var allocations: UInt64 = 0
    }

    private static let contacts = 10
    private static let bounds = Rectangle(minX: 0, minY: 0, maxX: 400, maxY: 300)
    /// Contacts move back and forth by 4.5 mm. That starts a drag, but does not leave a region of 4 x 3 mm.
    private static let swing = 64
    private static let reach = 4.5

    private var engine: GestureEngine
    private var events: [GestureEvent] = []
    private var moves: [TouchFrame] = []
    private var landing = TouchFrame()
    private var lifting = TouchFrame()
    private var time = Timestamp(microseconds: 0)
    private var nextID: Int64 = 1

    /// - Parameters:
    ///   - columns: the number of columns of regions; there are `columns * rows` regions.
    ///   - updates: whether a client subscribes to updates of drags.
    init(columns: Int, rows: Int, updates: Bool = false) {
        engine = GestureEngine(Self.regions(columns, rows), bounds: Self.bounds)
        engine.reportsUpdates = updates
        events.reserveCapacity(256)
        landing.changes = Self.changes(.landed, offset: 0)
        lifting.changes = Self.changes(.lifted, offset: 0)
        for step in 0..<Self.swing {
            let turn = Double(step * 2 < Self.swing ? step : Self.swing - step) / Double(Self.swing / 2)
            moves.append(TouchFrame(changes: Self.changes(.moved, offset: turn * Self.reach)))
        }
    }

    /// Plays frames in which all contacts move.
    func move(frames: Int) -> Cost {
        land()
        for step in 0..<Self.swing { play(step) }
        let (start, allocations) = (MonotonicClock.now(), allocation_count())
        for frame in 0..<frames { play(frame % Self.swing) }
        let cost = Self.cost(since: start, allocations, of: frames)
        lift()
        return cost
    }

    /// Plays frames in which all contacts alternately land and lift. This measures hit testing and the deadlines of
    /// all kinds of gestures.
    func land(andLift frames: Int) -> Cost {
        for _ in 0..<4 {
            land()
            lift()
        }
        let (start, allocations) = (MonotonicClock.now(), allocation_count())
        for _ in 0..<frames / 2 {
            land()
            lift()
        }
        return Self.cost(since: start, allocations, of: frames / 2 * 2)
    }

    /// Plays turns of one millisecond during which ten contacts stay in their regions. Each turn reads the next
    /// deadline.
    func wait(turns: Int) -> Cost {
        land()
        let (start, allocations) = (MonotonicClock.now(), allocation_count())
        for _ in 0..<turns {
            time = time + .milliseconds(1)
            if let deadline = engine.nextDeadline, deadline <= time { engine.advance(to: time, into: &events) }
            events.removeAll(keepingCapacity: true)
        }
        let cost = Self.cost(since: start, allocations, of: turns)
        lift()
        return cost
    }

    private func play(_ step: Int) {
        time = time + Interval(microseconds: 8333)
        moves[step].time = time
        engine.process(moves[step], into: &events)
        events.removeAll(keepingCapacity: true)
    }

    private func land() {
        time = time + .milliseconds(2000)
        landing.time = time
        for i in 0..<Self.contacts {
            let id = ContactID(nextID + Int64(i))
            landing.changes[i].id = id
            lifting.changes[i].id = id
            for step in moves.indices { moves[step].changes[i].id = id }
        }
        nextID += Int64(Self.contacts)
        engine.process(landing, into: &events)
        events.removeAll(keepingCapacity: true)
    }

    private func lift() {
        time = time + .milliseconds(50)
        lifting.time = time
        engine.process(lifting, into: &events)
        events.removeAll(keepingCapacity: true)
    }

    private static func cost(since start: Int64, _ allocations: UInt64, of frames: Int) -> Cost {
        Cost(
            nanoseconds: Double(MonotonicClock.now() - start) * 1000 / Double(frames),
            allocations: allocation_count() - allocations)
    }

    /// The contacts lie in the middle of ten areas of 80 x 150 mm, and never on the edge of a smaller region.
    private static func changes(_ kind: ContactChange.Kind, offset: Double) -> [ContactChange] {
        (0..<contacts).map { i in
            let position = Point(x: Double(i % 5) * 80 + 41.5 + offset / 2, y: Double(i / 5) * 150 + 73 + offset)
            return ContactChange(id: ContactID(Int64(i)), kind: kind, position: position)
        }
    }

    private static func regions(_ columns: Int, _ rows: Int) -> [Region] {
        (0..<columns * rows).map { i in
            let (width, height) = (bounds.width / Double(columns), bounds.height / Double(rows))
            let (x, y) = (Double(i % columns) * width, Double(i / columns) * height)
            let box = Rectangle(minX: x, minY: y, maxX: x + width, maxY: y + height)
            return Region(id: "r\(i)", shape: .rectangle(box), bounds: box, clip: bounds, gestures: gestures)
        }
    }

    /// The gestures of the pipeline's benchmarks, with their default settings.
    private static let gestures: [Gesture] = {
        var (doubleTap, twoFingers) = (TapSettings(), TapSettings())
        doubleTap.count = 2
        twoFingers.fingers = 2
        let all: [(String, GestureSettings)] = [
            ("press", .press(PressSettings())), ("tap", .tap(TapSettings())), ("double_tap", .tap(doubleTap)),
            ("two_finger_tap", .tap(twoFingers)), ("long_press", .longPress(LongPressSettings())),
            ("swipe", .swipe(SwipeSettings())), ("drag", .drag(DragSettings())),
        ]
        return all.map { Gesture(name: $0.0, word: $0.0, settings: $0.1) }
    }()
}
