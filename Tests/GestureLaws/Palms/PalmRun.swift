// SPDX-License-Identifier: MIT
import GestureEngine

/// Generates touches of one region beside contacts that turn out to be palms.
struct PalmRun {
    /// A contact that moves along two straight lines. Times are in milliseconds, and velocities in millimetres per
    /// millisecond.
    private struct Contact {
        var id: ContactID?
        let landing: Double
        let end: Double
        let isPalm: Bool
        let start: Point
        let velocities: (first: Vector, second: Vector)
        /// The time of the corner.
        let turn: Double

        func position(at time: Double) -> Point {
            let (first, second) = (min(time, turn) - landing, max(time - turn, 0))
            let place = start + velocities.first * max(first, 0) + velocities.second * second
            return Point(x: min(max(place.x, 0), 199.5), y: min(max(place.y, 0), 99.5))
        }
    }

    private var random: RunRandom
    private var steps: [LawRun.Step] = []
    private var nextID: Int64 = 1

    static func make(seed: UInt64) -> LawRun {
        var run = PalmRun(random: RunRandom(seed))
        let bounds = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)
        let gestures = (0...run.random.below(4)).map { run.gesture("g\($0)") }
        let region = Region(
            id: "r0", shape: .rectangle(bounds), bounds: bounds, clip: bounds, parent: nil, gestures: gestures)
        for _ in 0..<10 { run.touch() }
        return LawRun(worlds: [LawWorld([region])], steps: run.steps)
    }

    private init(random: RunRandom) { self.random = random }

    private mutating func gesture(_ name: String) -> Gesture {
        var maker = RandomGesture(RunRandom(random.seed()), isCoarse: false)
        let kind = random.pick(PalmLaw.kinds)
        while true {
            let gesture = maker.make(name, isPlain: false)
            if gesture.settings.kind == kind, Self.fits(gesture.settings) { return gesture }
        }
    }

    /// Whether the law holds for a gesture. It does not for taps before it, which are decided at the landing, and for
    /// several fingers that drag, whose other motions are weighed in each frame.
    private static func fits(_ settings: GestureSettings) -> Bool {
        switch settings {
        case .longPress(let settings): settings.taps == 0
        case .drag(let settings): settings.taps == 0 && settings.fingers == 1
        // A hand draws at most one corner.
        case .chain(let settings): settings.path.count < 3
        default: true
        }
    }

    /// Adds up to three hands one after the other, and a pause after which nothing of them is pending.
    private mutating func touch() {
        for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
            play(hand())
            steps.append(.wait(random.time(30_000, 300_000)))
        }
        steps.append(.wait(PalmLaw.pause))
    }

    /// Fingers that move together, and often palms, which are taken away while the fingers are down.
    private mutating func hand() -> [Contact] {
        let place = Point(x: random.number(60, 140), y: random.number(30, 70))
        let life = random.pick([random.number(30, 150), random.number(100, 900), random.number(400, 2000)])
        let pace = random.pick([0, 0, random.number(0.01, 0.08), random.number(0.05, 0.4)])
        let way = Hand.direction(&random)
        let velocities = (way * pace, (random.chance(50) ? way : Vector(dx: -way.dy, dy: way.dx)) * pace)
        let spread = random.pick([0, 0, 60, 200])
        var hand = (0..<random.pick([1, 1, 1, 2, 2, 3])).map { number in
            Contact(
                landing: number == 0 ? 0 : random.number(0, Double(spread)),
                end: life + random.number(0, Double(spread)),
                isPalm: false, start: place + Vector(dx: 18 * Double(number), dy: random.number(-5, 5)),
                velocities: velocities, turn: life * random.number(0.3, 0.7))
        }
        guard random.chance(70) else { return hand }
        for _ in 0...random.below(2) {
            let landing = random.number(-100, life * 0.7)
            hand.append(
                Contact(
                    landing: landing, end: min(max(landing, 10) + random.number(10, 120), life - 5), isPalm: true,
                    start: Point(x: random.number(10, 190), y: random.number(10, 90)),
                    velocities: (Hand.direction(&random) * random.pick([0, 0, 0.02]), .zero), turn: life))
        }
        return hand
    }

    /// Adds the frames of a hand.
    private mutating func play(_ hand: [Contact]) {
        var hand = hand
        var time = hand.map(\.landing).min() ?? 0
        while !hand.isEmpty {
            var (changes, palms): ([ContactChange], [ContactChange]) = ([], [])
            for place in hand.indices.reversed() where time >= hand[place].landing {
                let change = change(&hand[place], at: time)
                if change.kind == .cancelled(.palm) { palms.append(change) } else { changes.append(change) }
                if change.kind == .lifted || change.kind == .cancelled(.palm) { hand.remove(at: place) }
            }
            if !changes.isEmpty { steps.append(.frame(changes.sorted { $0.id < $1.id })) }
            // They are known in a frame of their own, so that it is clear what is judged before and after.
            if !palms.isEmpty { steps += [.wait(500), .frame(palms.sorted { $0.id < $1.id })] }
            let gap = random.time(6_000, 12_000)
            steps.append(.wait(gap))
            time += Double(gap) / 1000
        }
    }

    private mutating func change(_ contact: inout Contact, at time: Double) -> ContactChange {
        let position = contact.position(at: time)
        guard let id = contact.id else {
            let id = ContactID(nextID)
            nextID += 1
            contact.id = id
            return ContactChange(id: id, kind: .landed, position: position)
        }
        let end: ContactChange.Kind = contact.isPalm ? .cancelled(.palm) : .lifted
        return ContactChange(id: id, kind: time >= contact.end ? end : .moved, position: position)
    }
}
