// SPDX-License-Identifier: MIT
import Foundation
package import GestureEngine

/// A group of people who touch a synthetic panel with one hand each. `docs/accessibility.md` says where the figures of
/// `trembling` come from; those that it does not mention, and those of the other groups, are assumptions.
package struct TremblingHands: Sendable {
    /// The frequency of the tremor in hertz. Each hand has one.
    var frequency: ClosedRange<Double>
    /// The distance between the two ends of the tremor in millimetres. Each hand has one.
    var tremor: ClosedRange<Double>
    /// The time from the landing of a tap to its lift in milliseconds.
    var duration: ClosedRange<Double>
    /// The time from the last lift of a tap to the landing on the next target in milliseconds.
    var pause: ClosedRange<Double>
    /// The number of other targets that a hand taps before it comes back to one.
    var othersBetween = 0
    /// The part of the taps, in percent, after which the finger strikes again.
    var strikes = 0
    /// The part of the taps, in percent, that begin with a finger that slides to its place.
    var slides = 0
    /// The time that gestures other than taps take, divided by that of a hand of the recordings.
    var slowness = 1.0...1
    /// The greatest distance by which a finger rolls during a tap, in millimetres.
    var roll = 0.0

    package static let trembling = TremblingHands(
        frequency: 4...12, tremor: 2...6, duration: 400...1500, pause: 800...2500, strikes: 30, slides: 20,
        slowness: 1...3, roll: 1)
    /// The tremor is twice as wide.
    package static let wide = {
        var hands = trembling
        hands.tremor = 4...12
        return hands
    }()
    package static let slow = TremblingHands(
        frequency: 8...12, tremor: 0...0.5, duration: 600...2500, pause: 1000...3000, slowness: 2...4, roll: 3.5)
    package static let steady = TremblingHands(
        frequency: 8...12, tremor: 0...0.5, duration: 60...200, pause: 250...800, othersBetween: 3)
}

/// One of the hands.
struct TremblingHand {
    private let hands: TremblingHands
    private let frequency: Double
    /// The distance between the two ends of the tremor.
    private let width: Double
    private var random: SeededRandom

    /// The unintended second touch comes 80 to 300 ms after the lift.
    private static let strikeGap = 80.0...300
    private static let strikeDuration = 40.0...200
    /// A third touch follows after this part of the second ones, in percent.
    private static let moreStrikes = 20
    private static let strikeDistance = 3.0
    private static let slideDistance = 2.0...4
    private static let slideDuration = 150.0
    /// The standard deviation of the place that a finger aims at, along each axis.
    private static let aim = 1.5

    init(_ hands: TremblingHands, seed: UInt64) {
        self.hands = hands
        random = SeededRandom(seed)
        frequency = random.number(in: hands.frequency)
        width = random.number(in: hands.tremor)
    }

    mutating func pause() -> Double { random.number(in: hands.pause) }

    /// The fingers of a tap on a target, with the second touches that follow.
    mutating func tap(at middle: Point, _ time: Double) -> [SyntheticFinger] {
        let place = middle + Vector(dx: normal(), dy: normal()) * Self.aim
        let slide = random.chance(hands.slides) ? vector(random.number(in: Self.slideDistance)) : Vector.zero
        var fingers = [finger(time, random.number(in: hands.duration), at: place, slide: slide)]
        var percent = hands.strikes
        while random.chance(percent), let last = fingers.last {
            let landing = last.lift + random.number(in: Self.strikeGap)
            let again = place + vector(random.number(0, Self.strikeDistance))
            fingers.append(finger(landing, random.number(in: Self.strikeDuration), at: again, slide: .zero))
            percent = Self.moreStrikes
        }
        return fingers
    }

    private mutating func finger(
        _ landing: Double, _ duration: Double, at place: Point, slide: Vector
    ) -> SyntheticFinger {
        let roll = vector(random.number(0, hands.roll))
        let tremor = oscillation()
        return SyntheticFinger(landing: landing, lift: landing + duration, silence: 0) { part in
            let left = slide * max(0, 1 - part * duration / Self.slideDuration)
            return place + left + roll * part + tremor(part * duration)
        }
    }

    /// Adds the tremor to the fingers of a touch, and slows them down.
    mutating func shake(_ fingers: inout [SyntheticFinger]) {
        let (tremor, slowness) = (oscillation(), random.number(in: hands.slowness))
        for index in fingers.indices {
            let finger = fingers[index]
            let duration = (finger.lift - finger.landing) * slowness
            fingers[index].lift = finger.landing + duration
            fingers[index].silence = 0
            fingers[index].path = { part in finger.path(part) + tremor(part * duration) }
        }
    }

    /// The distance from the place where the finger would be, by the time since the landing in milliseconds. The tremor
    /// is an ellipse, and its phase at the landing is random.
    private mutating func oscillation() -> (Double) -> Vector {
        let (frequency, phase) = (frequency, random.number(0, 2 * .pi))
        let long = vector(width / 2)
        let short = Vector(dx: -long.dy, dy: long.dx) * random.number(0, 0.5)
        return { milliseconds in
            let angle = phase + 2 * .pi * frequency * milliseconds / 1000
            return long * sin(angle) + short * cos(angle)
        }
    }

    private mutating func vector(_ length: Double) -> Vector {
        let angle = random.number(0, 2 * .pi)
        return Vector(dx: cos(angle), dy: sin(angle)) * length
    }

    /// A normally distributed number with the standard deviation 1.
    private mutating func normal() -> Double {
        sqrt(-2 * log(1 - random.unit())) * cos(2 * .pi * random.unit())
    }
}

/// Nine square targets in the middle of a panel, with gaps of 2 mm.
package struct TargetGrid: Sendable {
    package static let count = 9
    /// The width and the height of a target in millimetres.
    package let size: Double
    package let panel: SyntheticPanel

    package init(size: Double, panel: SyntheticPanel) {
        self.size = size
        self.panel = panel
    }

    package func middle(of target: Int) -> Point {
        Point(
            x: panel.width / 2 + Double(target % 3 - 1) * (size + 2),
            y: panel.height / 2 + Double(target / 3 - 1) * (size + 2))
    }
}

/// A recording of a hand that taps random targets of a grid.
package struct TappingRecording: Sendable {
    /// An intended tap: its target, and the time from its landing to the next one in milliseconds from the first event.
    package struct Tap: Sendable {
        package var target: Int
        package var milliseconds: Range<Double>
    }

    package let grid: TargetGrid
    package private(set) var taps: [Tap] = []
    /// The recording as a file in evemu's format.
    package let text: String

    package init(_ hands: TremblingHands, on grid: TargetGrid, taps count: Int, seed: UInt64) {
        self.grid = grid
        var hand = TremblingHand(hands, seed: seed)
        var random = SeededRandom(seed + 1000)
        var fingers: [SyntheticFinger] = []
        var time = 0.0
        while taps.count < count {
            let target = random.below(TargetGrid.count)
            if taps.suffix(hands.othersBetween).contains(where: { $0.target == target }) { continue }
            fingers += hand.tap(at: grid.middle(of: target), time)
            let next = (fingers.last?.lift ?? time) + hand.pause()
            taps.append(Tap(target: target, milliseconds: time..<next))
            time = next
        }
        text = SyntheticRecording.written(fingers, on: grid.panel, &random).text
    }
}
