// SPDX-License-Identifier: MIT
import Glibc
import GestureEngine

/// Generates touches of one region beside contacts that turn out to be palms.
struct PalmRun {
    /// The movement of the fingers of a hand. Velocities are in millimetres per millisecond.
    private enum Motion {
        /// Along two straight lines, with a corner at a time.
        case lines(Vector, Vector, turn: Double)
        /// Around a point, in radians per millisecond, or away from it, by a part of the distance per millisecond.
        case around(Point, turning: Double, growing: Double)

        func position(from start: Point, _ landing: Double, at time: Double) -> Point {
            switch self {
            case .lines(let first, let second, let turn):
                return start + first * max(min(time, turn) - landing, 0) + second * max(time - turn, 0)
            case .around(let center, let turning, let growing):
                let (offset, time) = (start - center, max(time - landing, 0))
                let (sine, cosine) = (sin(turning * time), cos(turning * time))
                let turned = Vector(
                    dx: offset.dx * cosine - offset.dy * sine, dy: offset.dx * sine + offset.dy * cosine)
                return center + turned * min(max(1 + growing * time, 0.1), 2.5)
            }
        }
    }

    /// A contact. Times are in milliseconds.
    private struct Contact {
        var id: ContactID?
        let landing: Double
        let end: Double
        let isPalm: Bool
        let start: Point
        let motion: Motion
        /// Where it was last.
        var last = Point.zero

        func position(at time: Double) -> Point {
            let place = motion.position(from: start, landing, at: time)
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

    /// Whether the law holds for a gesture. It does not for taps before it, which are decided at the landing.
    private static func fits(_ settings: GestureSettings) -> Bool {
        guard settings.taps == 0 else { return false }
        // A hand draws at most one corner.
        if case .chain(let settings) = settings { return settings.path.count < 3 }
        return true
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
        let life = random.pick([random.number(30, 150), random.number(100, 900), random.number(400, 2000)])
        let count = random.pick([1, 1, 1, 2, 2, 3])
        let place = Point(x: random.number(60, 120), y: random.number(35, 65))
        let isAround = random.chance(40)
        let motion = isAround ? around(place, life, count) : lines(life, count)
        // With fewer fingers, those that turn around the middle of all would also travel.
        let spread = isAround ? 0 : random.pick([0, 0, 60, 200])
        var hand = (0..<count).map { number in
            Contact(
                landing: number == 0 ? 0 : random.number(0, Double(spread)),
                end: life + random.number(0, Double(spread)),
                isPalm: false, start: place + Vector(dx: 18 * Double(number), dy: random.number(-5, 5)), motion: motion)
        }
        guard random.chance(70) else { return hand }
        for _ in 0...random.below(2) {
            let landing = random.number(-100, life * 0.7)
            hand.append(
                Contact(
                    landing: landing, end: min(max(landing, 10) + random.number(10, 120), life - 5), isPalm: true,
                    start: Point(x: random.number(10, 190), y: random.number(10, 90)),
                    motion: .lines(Hand.direction(&random) * random.pick([0, 0, 0.02]), .zero, turn: life)))
        }
        return hand
    }

    /// Several fingers stay away from the edges, which would stop one of them, and so pinch.
    private mutating func lines(_ life: Double, _ count: Int) -> Motion {
        let most = count > 1 ? 28 / (life + 200) : 1
        let pace = min(random.pick([0, 0, random.number(0.01, 0.08), random.number(0.05, 0.4)]), most)
        let way = Hand.direction(&random)
        let other = random.chance(50) ? way : Vector(dx: -way.dy, dy: way.dx)
        return .lines(way * pace, other * pace, turn: life * random.number(0.3, 0.7))
    }

    /// One finger draws a circle. Several turn around their own middle by less than half a turn, or leave it.
    private mutating func around(_ place: Point, _ life: Double, _ count: Int) -> Motion {
        let drawn = place + Hand.direction(&random) * random.number(8, 25)
        let center = count > 1 ? place + Vector(dx: 9 * Double(count - 1), dy: 0) : drawn
        let pace = random.pick([-1, 1]) * random.number(0.0003, count > 1 ? 2.8 / (life + 30) : 0.02)
        return count == 1 || random.chance(50)
            ? .around(center, turning: pace, growing: 0) : .around(center, turning: 0, growing: pace)
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
        let isEnd = time >= contact.end
        // A palm does not move in its last frame, because what this causes would be told with its end.
        let position = isEnd && contact.isPalm && contact.id != nil ? contact.last : contact.position(at: time)
        contact.last = position
        guard let id = contact.id else {
            let id = ContactID(nextID)
            nextID += 1
            contact.id = id
            return ContactChange(id: id, kind: .landed, position: position)
        }
        let end: ContactChange.Kind = contact.isPalm ? .cancelled(.palm) : .lifted
        return ContactChange(id: id, kind: isEnd ? end : .moved, position: position)
    }
}
