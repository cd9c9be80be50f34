// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline

/// Touches that a hand would make for one gesture: with its fingers, times and distances, at different places of its
/// region.
struct TouchAim {
    enum Manner: Hashable {
        /// In the middle of the region, elsewhere, and at its borders.
        case anywhere
        /// A tap of this many milliseconds.
        case held(Int64)
        /// Fingers that tremble where they should stay.
        case trembling
        /// Where another region owns the touch.
        case inside(RegionIndex)
        case middle
    }

    /// The number of times that a touch is drawn anew if it does not fit into the region and onto the panel.
    private static let attempts = 40

    let regions: [Region]
    let index: RegionIndex
    let gesture: Gesture
    let manner: Manner
    let map: LandingMap
    var random: SeededRandom

    var region: Region { regions[index] }

    /// The time for which fingers stay before the gesture, if `after` wants that; `nil` if `after` wants something else,
    /// so that no touch is certain to suffice.
    var holdBefore: Int64? {
        var longest: Int64 = 0
        for name in gesture.after {
            guard let other = region.gestures.first(where: { $0.name == name }), other.after.isEmpty,
                let delay = other.settings.holdTime, other.settings.taps == 0
            else { return nil }
            longest = max(longest, delay)
        }
        return gesture.after.isEmpty ? 0 : longest + 60
    }

    /// Draws a touch.
    /// - Parameter number: the number of the touch, counted from 0; touches with different numbers are at different places.
    mutating func touch(_ number: Int) -> SketchedTouch {
        if case .pattern(let pattern) = gesture.settings { return steps(of: pattern, number) }
        var plan = plan(number)
        for _ in 0..<Self.attempts {
            let shifted = plan.shifted(onto: map.size.bounds.insetBy(0.5))
            if fits(shifted) {
                plan = shifted
                break
            }
            plan = self.plan(number)
        }
        var draft = TouchDraft()
        for _ in 0..<gesture.settings.taps {
            draft.touch(Array(plan.landing.prefix(1)), for: 60)
            draft.wait(pause(region.taps))
        }
        var times = 1
        var pauses = TapSettings()
        if case .tap(let tap) = gesture.settings { (times, pauses) = (tap.count, tap) }
        for time in 0..<times {
            if time > 0 { draft.wait(pause(pauses)) }
            land(plan.landing, &draft)
            for points in plan.path { draft.move(to: points) }
            draft.wait(plan.hold)
            draft.up()
        }
        return draft.sketch(on: map.size)
    }

    /// Returns the touches for the steps of a pattern, one after the other.
    private mutating func steps(of pattern: PatternSettings, _ number: Int) -> SketchedTouch {
        var touch = SketchedTouch()
        for step in regions.gestures(of: pattern) {
            var aim = TouchAim(
                regions: regions, index: step.region, gesture: step.gesture, manner: .anywhere, map: map, random: random
            )
            let pause = min(random.number(in: 250...700), Double(pattern.maxGap.wholeMilliseconds) * 0.6)
            touch.append(aim.touch(number), after: Int64(pause))
            random = aim.random
        }
        return touch
    }

    private func land(_ points: [Point], _ draft: inout TouchDraft) {
        guard let hold = holdBefore, hold > 0 else { return draft.down(points) }
        let fingers = gesture.after.compactMap { name in region.gestures.first { $0.name == name }?.settings.fingers }
        let first = min(fingers.max() ?? 1, points.count)
        draft.down(points.prefix(first))
        draft.wait(hold)
        draft.down(points.dropFirst(first))
    }

    /// Returns a time from a lift to the next landing of a row of taps, in milliseconds.
    private mutating func pause(_ tap: TapSettings) -> Int64 {
        let least = max(tap.minGap.wholeMilliseconds, 40) + 20
        let most = max(least, tap.gap.wholeMilliseconds * 6 / 10)
        return Int64(random.number(in: Double(least)...Double(most)))
    }

    // MARK: Places

    /// Whether the fingers land in the region and stay on the panel.
    private func fits(_ plan: HandPlan) -> Bool {
        let panel = map.size.bounds.insetBy(0.3)
        return plan.landing.allSatisfy { region.isDrawn(at: $0) && panel.contains($0) }
            && plan.path.allSatisfy { $0.allSatisfy(panel.contains) }
    }

    /// Returns a place for the middle of the fingers.
    private mutating func spot(_ number: Int) -> Point {
        let target: RegionIndex = if case .inside(let other) = manner { other } else { index }
        let box = regions[target].bounds.intersection(regions[target].clip).intersection(region.clip)
            .intersection(map.size.bounds)
        guard !box.isEmpty else { return Point(x: box.minX, y: box.minY) }
        let middle = Point(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
        if manner == .middle || (number % 4 == 1 && target == index && region.isDrawn(at: middle)) { return middle }
        var found = middle
        for _ in 0..<Self.attempts {
            let point = Point(x: random.number(in: box.minX...box.maxX), y: random.number(in: box.minY...box.maxY))
            guard region.isDrawn(at: point) else { continue }
            found = point
            // Some touches land on other regions that are above this one or in it.
            if map.route(at: point).owner == target || (target == index && number % 3 == 2) { break }
        }
        return found
    }

    /// Returns the places of several fingers that are 15 mm or more apart, in a line or on a circle.
    mutating func fingers(_ count: Int, _ number: Int) -> [Point] {
        let spot = spot(number)
        guard count > 1 else { return [spot] }
        let (gap, turn) = (random.number(in: 15...22), random.number(in: 0...360))
        // Their middle is at the spot, or one of them.
        let middle = random.chance(75) ? Double(count - 1) / 2 : 0
        let isRound = count > 2 && random.number(in: 0...1) < 0.5
        let radius = gap / (2 * HandPlan.unit(90 - 180 / Double(count)).dx.magnitude)
        return (0..<count).map { finger in
            let place = Double(finger)
            return isRound
                ? spot + HandPlan.unit(turn + place * 360 / Double(count)) * radius
                : spot + HandPlan.unit(turn) * (gap * (place - middle))
        }
    }

    /// Returns the places of two fingers.
    mutating func pair(span: Double, _ angle: Double, _ number: Int) -> [Point] {
        HandPlan.pair(around: spot(number), span: span, angle)
    }
}

extension GestureSettings {
    /// The time for which a finger stays until the gesture begins, in milliseconds; `nil` if it does not suffice to stay.
    fileprivate var holdTime: Int64? {
        switch self {
        case .press: 1
        case .longPress(let hold): hold.delay.wholeMilliseconds
        case .repeat(let hold): hold.delay.wholeMilliseconds
        default: nil
        }
    }
}

extension [Region] {
    /// The gestures that the steps of a pattern name, without those that do not exist.
    func gestures(of pattern: PatternSettings) -> [(region: RegionIndex, gesture: Gesture)] {
        pattern.steps.compactMap { step in
            guard let region = regionIndices.first(where: { self[$0].name == step.region }) else { return nil }
            let gestures = self[region].gestures
            let gesture = gestures.first { $0.name == step.gesture } ?? gestures.first { $0.word == step.gesture }
            return gesture.map { (region, $0) }
        }
    }
}

extension Region {
    /// Whether the point lies in the shape as far as it is visible.
    func isDrawn(at point: Point) -> Bool { shape.contains(point) && clip.contains(point) }
}

/// Tells which regions get a touch by its landing.
final class LandingMap {
    let size: PanelSize
    private let engine: GestureEngine

    init(_ setup: PanelSetup) {
        size = setup.size
        engine = GestureEngine(setup.regions, arbitration: setup.arbitration, bounds: setup.size.bounds)
    }

    func route(at point: Point) -> Route { engine.route(at: point) }
}

extension SeededRandom {
    /// Numbers that depend on a seed and on what they are for.
    static func of(_ seed: UInt64, _ parts: Int...) -> Self {
        parts.reduce(Self(seed)) { random, part in
            var random = random
            return Self(random.next() ^ UInt64(truncatingIfNeeded: part))
        }
    }
}
