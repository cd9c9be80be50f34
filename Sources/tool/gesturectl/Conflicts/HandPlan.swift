// SPDX-License-Identifier: MIT
import GestureEngine
import TouchScripts

/// The movement of the fingers of one touch, in millimetres.
struct HandPlan {
    var landing: [Point]
    /// The positions of all fingers at each report after the landing.
    var path: [[Point]] = []
    /// The time from the last report to the lift, in milliseconds.
    var hold: Int64 = 8

    /// The direction at an angle in degrees, clockwise from the right.
    static func unit(_ degrees: Double) -> Vector {
        Vector.along(degrees * .pi / 180)
    }

    static func pair(around center: Point, span: Double, _ angle: Double) -> [Point] {
        [center + unit(angle) * (span / 2), center + unit(angle) * (-span / 2)]
    }

    /// Fingers that move in parallel.
    /// - Parameter speed: in millimetres per second.
    static func straight(_ landing: [Point], _ angle: Double, _ length: Double, speed: Double) -> HandPlan {
        let count = reports(length / speed)
        let way = unit(angle) * length
        return HandPlan(
            landing: landing,
            path: (1...count).map { report in landing.map { $0 + way * (Double(report) / Double(count)) } })
    }

    /// One finger that follows straight lines between points.
    static func along(_ points: [Point], speed: Double) -> HandPlan {
        var plan = HandPlan(landing: Array(points.prefix(1)))
        for (from, to) in zip(points, points.dropFirst()) where from != to {
            let count = reports((to - from).length / speed, atLeast: 1)
            plan.path += (1...count).map { [from + (to - from) * (Double($0) / Double(count))] }
        }
        return plan
    }

    /// One finger that moves on a circle.
    /// - Parameter turn: in degrees, clockwise.
    static func round(_ center: Point, _ radius: Double, from angle: Double, turn: Double) -> HandPlan {
        let count = max(4, Int((turn.magnitude / 5).rounded(.up)))
        func point(_ part: Int) -> Point { center + unit(angle + turn * Double(part) / Double(count)) * radius }
        return HandPlan(landing: [point(0)], path: (1...count).map { [point($0)] })
    }

    /// Returns this movement at a place where it is on the panel, if there is room for it.
    func shifted(onto panel: Rectangle) -> HandPlan {
        let points = landing + path.joined()
        func shift(_ values: [Double], _ least: Double, _ most: Double) -> Double {
            let (low, high) = (values.min() ?? least, values.max() ?? most)
            guard high - low < most - least else { return 0 }
            return max(least - low, 0) + min(most - high, 0)
        }
        let way = Vector(
            dx: shift(points.map(\.x), panel.minX, panel.maxX), dy: shift(points.map(\.y), panel.minY, panel.maxY))
        guard way != .zero else { return self }
        return HandPlan(landing: landing.map { $0 + way }, path: path.map { $0.map { $0 + way } }, hold: hold)
    }

    /// The number of reports in a time in seconds.
    private static func reports(_ time: Double, atLeast least: Int = 3) -> Int {
        let count = time * 1000 / Double(TouchDraft.report)
        return max(least, Int(min(count.rounded(.up), 400)))
    }
}

extension TouchAim {
    /// The distance by which a finger trembles, in millimetres. It is less than the slop of a tap.
    private static let tremble = 1.2

    /// Returns a movement for the gesture.
    mutating func plan(_ number: Int) -> HandPlan {
        var plan = stillPlan(number)
        if manner == .trembling {
            let way = HandPlan.unit(random.number(in: 0...360)) * Self.tremble
            plan.path = [plan.landing.map { $0 + way }, plan.landing]
        }
        return plan
    }

    private mutating func stillPlan(_ number: Int) -> HandPlan {
        switch gesture.settings {
        case .press: HandPlan(landing: fingers(1, number), hold: 80)
        case .tap(let tap): HandPlan(landing: fingers(tap.fingers, number), hold: duration(tap))
        case .longPress(let press):
            HandPlan(landing: fingers(press.fingers, number), hold: press.delay.wholeMilliseconds + 120)
        case .repeat(let hold): HandPlan(landing: fingers(1, number), hold: hold.delay.wholeMilliseconds + 120)
        case .drag(let drag): self.drag(drag, number)
        case .swipe(let swipe): self.swipe(swipe, number)
        case .chain(let chain): self.chain(chain, number)
        case .stroke(let stroke): self.stroke(stroke, number)
        case .pinch(let pinch): self.pinch(pinch, number)
        case .rotate(let rotate): self.rotate(rotate, number)
        case .dial(let dial): self.dial(dial, number)
        // The steps of a pattern have plans of their own.
        case .pattern: HandPlan(landing: fingers(1, number))
        }
    }

    private mutating func duration(_ tap: TapSettings) -> Int64 {
        if case .held(let time) = manner { return time }
        let least = max(30, tap.minTime.wholeMilliseconds + 15)
        let most = min(250, tap.maxTime.wholeMilliseconds / 10 * 6)
        return Int64(random.number(in: Double(least)...Double(max(least, most))))
    }

    private mutating func drag(_ drag: DragSettings, _ number: Int) -> HandPlan {
        let angles: [Double] =
            switch drag.axis {
            case .any: [0, 90, 180, 270, random.number(in: 0...360)]
            case .horizontal: [0, 180]
            case .vertical: [90, 270]
            }
        let count = min(max(drag.fingerRange.lowerBound, drag.minFingers), drag.fingerRange.upperBound)
        let length = drag.start * 1.1 + random.number(in: 5...15)
        let speed = number.isMultiple(of: 2) ? random.number(in: 40...120) : random.number(in: 150...350)
        return .straight(
            fingers(count, number), angles.randomElement(using: &random) ?? 0, length, speed: max(speed, length / 1.5))
    }

    private mutating func swipe(_ swipe: SwipeSettings, _ number: Int) -> HandPlan {
        let length = swipe.minDistance * random.number(in: 1.05...1.8) + 2
        let least = max(swipe.minVelocity * 1.3, length / (0.8 * swipe.maxTime.seconds))
        let speed = min(max(random.number(in: 200...600), least), 1200)
        let angle = -(swipe.directions.randomElement(using: &random)?.angle ?? 0)
        return .straight(fingers(swipe.fingers, number), angle, length, speed: speed)
    }

    private mutating func chain(_ chain: ChainSettings, _ number: Int) -> HandPlan {
        let length = chain.minSegment * 1.4 + 4
        var points = fingers(1, number)
        for direction in chain.path {
            points.append(points[points.count - 1] + direction.unit * length)
        }
        let least = length * Double(chain.path.count) / (0.7 * chain.maxTime.seconds)
        return .along(points, speed: min(max(300, least), 1200))
    }

    private mutating func stroke(_ stroke: StrokeSettings, _ number: Int) -> HandPlan {
        guard !stroke.templates.isEmpty else { return HandPlan(landing: fingers(1, number)) }
        let points = stroke.templates[number % stroke.templates.count].points
        let length = zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        let side = max((xs.max() ?? 0) - (xs.min() ?? 0), (ys.max() ?? 0) - (ys.min() ?? 0))
        guard side > 0, length > 0, let first = points.first else { return HandPlan(landing: fingers(1, number)) }
        let scale = max(random.number(in: 20...45) / side, stroke.minLength * 1.3 / length)
        let start = fingers(1, number)[0]
        return .along(points.map { start + ($0 - first) * scale }, speed: 250)
    }

    private mutating func pinch(_ pinch: PinchSettings, _ number: Int) -> HandPlan {
        let change = pinch.start + random.number(in: 5...12)
        let least = max(pinch.minSpan + 2, random.number(in: 15...22))
        let isOut = pinch.directions.randomElement(using: &random) != .in
        let (from, to) = isOut ? (least, least + change) : (least + change, least)
        let angle = random.number(in: 0...180)
        let landing = pair(span: from, angle, number)
        let center = landing[1] + (landing[0] - landing[1]) * 0.5
        let count = max(6, Int(min(change, 100)))
        return HandPlan(
            landing: landing,
            path: (1...count).map {
                HandPlan.pair(around: center, span: from + (to - from) * Double($0) / Double(count), angle)
            })
    }

    private mutating func rotate(_ rotate: RotateSettings, _ number: Int) -> HandPlan {
        let sign: Double = rotate.directions.randomElement(using: &random) == .counterclockwise ? -1 : 1
        let (turn, span) = (rotate.start + random.number(in: 10...25), random.number(in: 15...45))
        let angle = random.number(in: 0...180)
        let landing = pair(span: span, angle, number)
        let center = landing[1] + (landing[0] - landing[1]) * 0.5
        let count = max(6, Int((turn / 2.5).rounded(.up)))
        return HandPlan(
            landing: landing,
            path: (1...count).map {
                HandPlan.pair(around: center, span: span, angle + sign * turn * Double($0) / Double(count))
            })
    }

    private mutating func dial(_ dial: DialSettings, _ number: Int) -> HandPlan {
        let sign: Double = dial.directions.randomElement(using: &random) == .counterclockwise ? -1 : 1
        let angle = random.number(in: 0...360)
        if dial.center == .drawn {
            let radius = max(dial.minRadius * 1.3, random.number(in: 10...18))
            let center = fingers(1, number)[0] + HandPlan.unit(angle) * -radius
            let turn = max(dial.start, DialSettings.leastDrawn) + 240
            return .round(center, radius, from: angle, turn: sign * turn)
        }
        let box = region.bounds
        let least = max(dial.minRadius * 1.3 + 1, 2)
        let most = min(0.45 * min(box.width, box.height), 60)
        let radius = least < most ? random.number(in: least...most) : least
        let center = Point(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
        // The arc must be longer than 3 mm.
        let turn = max(dial.start, 4 / radius * 180 / .pi) + random.number(in: 20...40)
        return .round(center, radius, from: angle, turn: sign * turn)
    }
}
