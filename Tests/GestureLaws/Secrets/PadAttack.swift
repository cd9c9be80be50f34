// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// Hands that do not know the secret of a pad, and touch several of its keys at once or shortly after each other.
///
/// They must not open it more often than by entering one code at a time.
package struct PadAttack: ~Copyable {
    package struct Outcome: Sendable, CustomStringConvertible {
        /// Each try is one guess: some touches, and a pause after which the pattern has started over.
        package private(set) var tries = 0
        package private(set) var touches = 0
        package fileprivate(set) var opened = 0
        /// The expected number of right guesses, one code for each try.
        package private(set) var expected = 0.0

        package init() {}

        fileprivate mutating func add(touches: Int, chance: Double) {
            tries += 1
            self.touches += touches
            expected += chance
        }

        package mutating func add(_ other: Self) {
            tries += other.tries
            touches += other.touches
            opened += other.opened
            expected += other.expected
        }

        package func adding(_ other: Self) -> Self {
            var sum = self
            sum.add(other)
            return sum
        }

        /// Whether the pad was opened more often than chance can explain (four standard deviations).
        package var isTooOften: Bool { Double(opened) > expected + 4 * expected.squareRoot() + 1 }

        package var description: String {
            let guesses = (expected * 10).rounded() / 10
            return
                "\(tries) tries with \(touches) touches opened it \(opened) times; as many guesses would, \(guesses) times"
        }
    }

    package static let sizes = [4, 6, 9, 12]
    package static let lengths = 3...6
    private static let gestures: [GestureSettings] = [press, tap(), tap(count: 2), longPress()]
    private static let steps = ["press", "tap", "double_tap", "long_press"]

    /// The size of the pad and the number of steps.
    package let size: Int, length: Int
    private let step: String
    private var engine: GestureEngine
    private var random: SeededRandom
    private var time = Timestamp(microseconds: 0)
    private var nextContact: Int64 = 1
    /// A finger that stays down over several tries.
    private var resting: ContactChange?
    private var events: [GestureEvent] = []
    package private(set) var outcome = Outcome()

    package var name: String { "\(size) keys, \(length) steps" }

    /// - Parameter seed: selects the pad, its secret and the touches.
    package init(seed: UInt64) {
        random = SeededRandom(seed)
        size = Self.sizes[Int(seed % UInt64(Self.sizes.count))]
        length = Self.lengths.lowerBound + Int(seed / UInt64(Self.sizes.count) % UInt64(Self.lengths.count))
        let step = random.pick(Self.steps)
        self.step = step
        var code: [String] = []
        for _ in 0..<length { code.append("\(step) k\(random.below(size))") }
        var regions = (0..<size).map { key in
            region("k\(key)", (Double(key % 4) * 50, Double(key / 4) * 30, 50, 30), Self.gestures)
        }
        regions.append(
            region(
                "lock", (0, 90, 200, 10),
                [
                    pattern(code) {
                        $0.attempts = 1000
                        // Without lockouts, the attack takes less time.
                        $0.lockout = .zero
                    }
                ]))
        if random.chance(50) { for i in regions.indices { regions[i].isPrivate = true } }
        engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        engine.reportsUpdates = false
    }

    /// Plays tries with new touches.
    package mutating func play(tries: Int) {
        for _ in 0..<tries {
            let touches = randomTouches()
            outcome.add(touches: touches.count, chance: chance)
            play(touches)
            if random.chance(10) { toggleResting() }
            pause()
        }
    }

    /// A touch of a key, from one frame to a later one.
    private struct Touch {
        var key: Int
        var landing: Int
        var lift: Int
    }

    /// Plays tries in which one finger enters a random code, as somebody who guesses would.
    package mutating func guess(tries: Int) {
        for _ in 0..<tries {
            outcome.add(touches: length, chance: chance)
            for _ in 0..<length { enter(random.below(size)) }
            pause()
        }
    }

    /// Makes the step of this pad on a key.
    private mutating func enter(_ key: Int) {
        for _ in 0..<(step == "double_tap" ? 2 : 1) {
            let id = ContactID(nextContact)
            nextContact += 1
            process([change(id, .landed, of: key)])
            time = time + .milliseconds(step == "long_press" ? 600 : 50)
            engine.advance(to: time, into: &events)
            process([change(id, .lifted, of: key)])
            time = time + .milliseconds(100)
        }
        time = time + .milliseconds(400)
    }

    /// The probability of a right guess.
    private var chance: Double { (0..<length).reduce(1.0) { chance, _ in chance / Double(size) } }

    /// Waits until an attempt that is under way has failed.
    private mutating func pause() {
        time = time + .milliseconds(2500 + Int64(random.below(2000)))
        engine.advance(to: time, into: &events)
        takeEvents()
    }

    /// Touches that land and lift within one to twenty frames each, often all of them at once.
    private mutating func randomTouches() -> [Touch] {
        let spread = 1 + random.below(20)
        let (landsAtOnce, liftsAtOnce) = (random.chance(20), random.chance(20))
        var touches: [Touch] = []
        for _ in 0...random.below(size) {
            let key = random.below(size)
            if random.chance(80), touches.contains(where: { $0.key == key }) { continue }
            let landing = landsAtOnce ? 0 : random.below(spread)
            let lift = liftsAtOnce ? 2 * spread : landing + 1 + random.below(spread)
            touches.append(Touch(key: key, landing: landing, lift: lift))
        }
        return touches.sorted { $0.landing < $1.landing }
    }

    private mutating func play(_ touches: [Touch]) {
        // A frame of 100 ms is long enough for a long press.
        let frame = Interval.milliseconds(Int64(random.pick([8, 8, 16, 100])))
        let first = nextContact
        nextContact += Int64(touches.count)
        for number in 0...(touches.map { $0.lift }.max() ?? 0) {
            var changes: [ContactChange] = []
            for (i, touch) in touches.enumerated() {
                let id = ContactID(first + Int64(i))
                if touch.landing == number { changes.append(change(id, .landed, of: touch.key)) }
                if touch.lift == number { changes.append(change(id, .lifted, of: touch.key)) }
            }
            process(changes)
            time = time + frame
        }
    }

    private mutating func toggleResting() {
        if let resting {
            process([ContactChange(id: resting.id, kind: .lifted, position: resting.position)])
            self.resting = nil
        } else {
            let landing = change(ContactID(nextContact), .landed, of: random.below(size))
            nextContact += 1
            process([landing])
            resting = landing
        }
    }

    private func change(_ id: ContactID, _ kind: ContactChange.Kind, of key: Int) -> ContactChange {
        ContactChange(id: id, kind: kind, position: Point(x: Double(key % 4) * 50 + 25, y: Double(key / 4) * 30 + 15))
    }

    private mutating func process(_ changes: [ContactChange]) {
        engine.process(TouchFrame(time: time, changes: changes), into: &events)
        takeEvents()
    }

    private mutating func takeEvents() {
        for event in events { if case .pattern = event.detail { outcome.opened += 1 } }
        events.removeAll(keepingCapacity: true)
    }
}
