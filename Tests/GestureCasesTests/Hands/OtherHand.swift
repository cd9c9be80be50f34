// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport

/// A way in which something else is on the glass while a person makes a gesture.
enum OtherHand: String, CaseIterable, Sendable {
    case none = "nothing"
    case palm = "a palm lies there, and the panel says so (type, or 35 to 60 mm)"
    case palmLands = "a palm lands during it, and the panel says so after 20 to 80 ms"
    case heel = "2 or 3 contacts of a hand lie there, and look like fingers"
    case wrist = "a wrist of 15 to 28 mm lies there, and rolls by 1 mm"
    case rests = "a finger has rested for 3 to 20 s"
    case thumb = "a thumb holds the frame"
    case sleeve = "a sleeve lies there; the panel loses and finds it again and again"
    case leans = "a hand leans, and creeps by 0.5 to 3 mm/s"
    case restsBriefly = "a finger has rested for 0.1 to 1.5 s"
    case drip = "a drop falls, and stays"
    case drops = "3 to 8 drops a second, of 10 to 60 ms, anywhere"
    case person = "another person taps, 105 mm away or more"
    case child = "a child strikes and wipes with three fingers, 85 mm away or more"
    case tapsNear = "another hand taps, 30 to 90 mm away"

    /// - Parameter hand: the contacts that make the gesture, the first of which lands at 0.
    func contacts(beside hand: [GlassContact], seed: UInt64) -> [GlassContact] {
        var other = OtherContacts(beside: hand, seed: seed)
        let long = other.random.number(3000, 20_000)
        switch self {
        case .none: return []
        case .palm: return other.palms(landing: -other.random.number(3000, 8000), delay: 0)
        case .palmLands:
            return other.palms(
                landing: other.end * other.random.number(0, 0.7), delay: other.random.number(20, 80))
        case .heel: return other.heel(since: long)
        case .wrist: return [other.resting(since: long, trembling: 1, 0.2...0.5, width: other.random.number(15, 28))]
        case .rests: return [other.resting(since: long, trembling: 0.2, 6...11)]
        case .thumb: return [other.thumb(since: long)]
        case .sleeve: return other.sleeve(since: long)
        case .leans: return [other.creeping(since: other.random.number(3000, 8000))]
        case .restsBriefly: return [other.resting(since: other.random.number(100, 1500), trembling: 0.2, 6...11)]
        case .drip: return [other.resting(since: other.random.number(-0.7 * other.end, 300), trembling: 0.1, 1...3)]
        case .drops: return other.drops()
        case .person: return other.taps(1 + other.random.below(3), away: 105...400)
        case .child: return other.strikes()
        case .tapsNear: return other.taps(1, away: 30...90)
        }
    }
}

/// Makes the contacts of another hand.
private struct OtherContacts {
    var random: SeededRandom
    /// The time of the last lift of the hand that makes the gesture.
    let end: Double
    /// Where that hand has been.
    private let places: [Point]
    private let landing: Point

    init(beside hand: [GlassContact], seed: UInt64) {
        random = SeededRandom(seed)
        end = hand.map(\.lift).max() ?? 0
        landing = hand.first.map { $0.path($0.landing) } ?? .zero
        places = hand.flatMap { contact in
            (0...10).map { contact.path(contact.landing + (contact.lift - contact.landing) * Double($0) / 10) }
        }
    }

    private mutating func vector(_ length: Double) -> Vector {
        let angle = random.number(0, 2 * .pi)
        return Vector(dx: cos(angle), dy: sin(angle)) * length
    }

    /// A place on the panel whose distance from the nearest place of the hand is in a range, or as near to that as the
    /// panel is large.
    private mutating func place(away range: ClosedRange<Double> = 40...95) -> Point {
        var best = (miss: Double.infinity, place: landing)
        for _ in 0..<400 where best.miss > 0 {
            let place = Point(x: random.number(3, 341), y: random.number(3, 191))
            let distance = places.map { (place - $0).length }.min() ?? 0
            let miss = max(0, range.lowerBound - distance, distance - range.upperBound)
            if miss < best.miss { best = (miss, place) }
        }
        return best.place
    }

    private mutating func leaves() -> Double { end + random.number(300, 900) }

    mutating func resting(
        since: Double, trembling reach: Double, _ frequency: ClosedRange<Double>, width: Double = 8,
        at place: Point? = nil
    ) -> GlassContact {
        let (place, tremor) = (place ?? self.place(), random.tremor(reach, frequency))
        var contact = GlassContact(-since, leaves()) { place + tremor($0) }
        contact.width = { _ in width }
        contact.isBusy = false
        return contact
    }

    /// One or two palms. The panel reports either their type, or their size, and first takes each for a finger.
    mutating func palms(landing: Double, delay: Double) -> [GlassContact] {
        let (hasType, size, middle) = (random.chance(50), random.number(35, 60), place())
        return (0...random.below(2)).map { _ in
            let place = middle + vector(random.number(0, 20))
            var palm = resting(since: -landing, trembling: 0.5, 0.2...1, at: place)
            palm.isBusy = delay > 0
            if hasType { palm.palmFrom = landing + delay } else { palm.width = { $0 < landing + delay ? 10 : size } }
            return palm
        }
    }

    mutating func heel(since: Double) -> [GlassContact] {
        let middle = place(away: 60...95)
        return (0...1 + random.below(2)).map { _ in
            let place = middle + vector(random.number(8, 20))
            return resting(since: since - random.number(0, 80), trembling: 0.7, 0.2...0.5, at: place)
        }
    }

    /// A thumb within 5 mm of the frame that rolls as the gesture pushes the panel.
    mutating func thumb(since: Double) -> GlassContact {
        let inset = random.number(1, 5)
        let place = [
            Point(x: inset, y: random.number(40, 160)), Point(x: 344 - inset, y: random.number(40, 160)),
            Point(x: random.number(60, 280), y: 194 - inset),
        ]
        return resting(since: since, trembling: 0.8, 0.3...1, width: 14, at: random.pick(place))
    }

    mutating func creeping(since: Double) -> GlassContact {
        let (place, way) = (place(), vector(random.number(0.0005, 0.003)))
        return GlassContact(-since, leaves()) { place + way * $0 }
    }

    /// A contact that comes and goes within 3 mm of a place.
    mutating func sleeve(since: Double) -> [GlassContact] {
        let (middle, last) = (place(), leaves())
        var (contacts, time) = ([GlassContact](), -since)
        while time < last {
            let place = middle + vector(random.number(0, 3))
            let lift = time + random.number(1500, 6000)
            let width = random.number(12, 25)
            var contact = GlassContact(time, min(lift, last)) { _ in place }
            contact.width = { _ in width }
            contact.isBusy = false
            contacts.append(contact)
            time = lift + random.number(30, 200)
        }
        return contacts
    }

    mutating func drops() -> [GlassContact] {
        let rate = random.number(3, 8)
        var (contacts, time) = ([GlassContact](), -500.0)
        while time < end + 400 {
            let place = place(away: 12...400)
            contacts.append(GlassContact(time, time + random.number(10, 60)) { _ in place })
            time += -1000 / rate * log(1 - random.unit())
        }
        return contacts
    }

    mutating func taps(_ count: Int, away range: ClosedRange<Double>) -> [GlassContact] {
        let place = place(away: range)
        var (contacts, time) = ([GlassContact](), random.number(-150, end))
        for _ in 0..<count {
            let spot = place + vector(random.number(0, 3))
            let contact = GlassContact(time, time + random.number(40, 160)) { _ in spot }
            contacts.append(contact)
            time = contact.lift + random.number(120, 400)
        }
        return contacts
    }

    /// Three fingers land together and wipe by 20 to 50 mm.
    mutating func strikes() -> [GlassContact] {
        let (middle, start) = (place(away: 105...400), random.number(-150, end))
        let (way, duration) = (vector(random.number(20, 50)), random.number(120, 400))
        return (0..<3).map { finger in
            let place = middle + Vector(dx: Double(finger - 1) * 18, dy: random.number(-6, 6))
            let landing = start + random.number(0, 40)
            return GlassContact(landing, landing + duration) {
                place + way * min(max(($0 - landing) / duration, 0), 1)
            }
        }
    }
}
