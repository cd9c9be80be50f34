// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

/// Turns what people do into fingers.
struct ActMotion: ~Copyable {
    /// The distance of fingers beside each other, and the lengths of movements that are not given, in millimetres.
    private static let (apart, swipeLength, dragLength, drawnSize) = (20.0, 40.0, 40.0, 40.0)
    private static let (narrow, wide) = (20.0, 50.0)
    /// The times of movements that are not given, in milliseconds.
    private static let (hold, swipe, drag, transform, drawing, stop) = (800.0, 180.0, 600.0, 500.0, 900.0, 120.0)
    /// The fastest turn, in radians in a millisecond: 30 degrees from one report to the next.
    private static let fastest = Double.pi / 6 / ScriptPlayer.interval
    /// A finger keeps this distance from the edge of the glass, in millimetres.
    private static let edge = 1.0

    let panel: ScriptPanel
    var hand: ScriptHand

    init(_ panel: consuming ScriptPanel, _ hand: ScriptHand) {
        self.panel = panel
        self.hand = hand
    }

    /// The fingers of an act. The first one lands within a few milliseconds.
    mutating func fingers(of act: TouchScript.Act) throws(ScriptError) -> [ScriptFinger] {
        switch act.verb {
        case .tap: try taps(act)
        case .hold: hand.shaken(still(act, try target(act), milliseconds(act) ?? Self.hold))
        case .swipe, .drag: hand.shaken(try movement(act))
        case .pinch: hand.shaken(try pinch(act))
        case .turn: hand.shaken(try turn(act))
        case .draw: hand.shaken(try drawing(act))
        }
    }

    private func milliseconds(_ act: TouchScript.Act) -> Double? { act.time.map { $0.seconds * 1000 } }

    private mutating func target(_ act: TouchScript.Act) throws(ScriptError) -> Point {
        guard let target = act.target else { throw ScriptError(act.position, "it needs a region or a position") }
        return inside(try panel.point(target) + hand.miss())
    }

    private func inside(_ point: Point) -> Point {
        let (width, height) = (panel.size.widthMillimeters, panel.size.heightMillimeters)
        return Point(
            x: min(max(point.x, Self.edge), max(width - Self.edge, Self.edge)),
            y: min(max(point.y, Self.edge), max(height - Self.edge, Self.edge)))
    }

    // MARK: Fingers that stay

    private mutating func taps(_ act: TouchScript.Act) throws(ScriptError) -> [ScriptFinger] {
        var fingers: [ScriptFinger] = []
        for _ in 0..<act.times {
            let start = fingers.map(\.lift).max().map { $0 + hand.gap() } ?? 0
            var tap = still(act, try target(act), milliseconds(act) ?? hand.tapTime())
            for index in tap.indices {
                tap[index].landing += start
                tap[index].lift += start
            }
            fingers += hand.shaken(tap)
            if let last = fingers.last { fingers += hand.strikes(after: last) }
        }
        return fingers
    }

    private mutating func still(_ act: TouchScript.Act, _ place: Point, _ duration: Double) -> [ScriptFinger] {
        beside(act.fingers ?? 1, Vector(dx: 1, dy: 0)).map { offset in
            let landing = offset.isFirst ? 0 : hand.landing()
            let point = inside(place + offset.way)
            return ScriptFinger(landing: landing, lift: landing + duration) { _ in point }
        }
    }

    /// Where fingers beside each other are, from the middle between them.
    private func beside(_ count: Int, _ line: Vector) -> [(way: Vector, isFirst: Bool)] {
        (0..<count).map { finger in
            let steps = Double(finger) - Double(count - 1) / 2
            return (line * (steps * Self.apart), finger == 0)
        }
    }

    // MARK: Movements

    private mutating func movement(_ act: TouchScript.Act) throws(ScriptError) -> [ScriptFinger] {
        let start = try target(act)
        let isSwipe = act.verb == .swipe
        let way: Vector
        if let destination = act.destination {
            way = inside(try panel.point(destination) + hand.miss()) - start
        } else {
            let length = act.length.map { panel.length($0) } ?? (isSwipe ? Self.swipeLength : Self.dragLength)
            way = inside(start + (act.direction ?? .left).unit * length) - start
        }
        let duration = milliseconds(act) ?? hand.time(isSwipe ? Self.swipe : Self.drag)
        let stop = isSwipe || act.time != nil ? 0 : Self.stop
        let line = way.length > 0 ? Vector(dx: -way.dy, dy: way.dx) * (1 / way.length) : Vector(dx: 0, dy: 1)
        return beside(act.fingers ?? 1, line).map { offset in
            let landing = offset.isFirst ? 0 : min(hand.landing(), duration / 2)
            let from = inside(start + offset.way)
            return ScriptFinger(landing: landing, lift: duration + stop) { time in
                let part = min(1, (time + landing) / duration)
                return from + way * (isSwipe ? Self.slowing(part) : Self.smooth(part))
            }
        }
    }

    /// A movement that begins and ends slowly.
    private static func smooth(_ part: Double) -> Double { part * part * (3 - 2 * part) }

    /// A movement that slows down but is still fast at its end.
    private static func slowing(_ part: Double) -> Double { part * (1.35 - 0.35 * part) }

    private mutating func pinch(_ act: TouchScript.Act) throws(ScriptError) -> [ScriptFinger] {
        let factor = act.factor ?? 1
        let room = panel.size.widthMillimeters - 2 * Self.edge
        let span = factor > 1 ? min(Self.narrow, room / factor) : min(Self.wide, room)
        let duration = milliseconds(act) ?? hand.time(Self.transform)
        return try pair(act, span: span, duration) { part in (1 + (factor - 1) * part, 0) }
    }

    private mutating func turn(_ act: TouchScript.Act) throws(ScriptError) -> [ScriptFinger] {
        let angle = (act.angle ?? 0) * .pi / 180
        let duration = milliseconds(act) ?? hand.time(Self.transform * max(1, abs(angle) / .pi))
        guard abs(angle) / duration <= Self.fastest else {
            throw ScriptError(act.position, "a panel cannot follow a turn that is this fast; give it more time")
        }
        guard try fingersOfTurn(act) == 1 else {
            let room = min(panel.size.widthMillimeters, panel.size.heightMillimeters) - 2 * Self.edge
            return try pair(act, span: min(Self.wide, room), duration) { part in (1, angle * part) }
        }
        let middle = try target(act)
        let radius = try radius(act)
        return [
            ScriptFinger(landing: 0, lift: duration) { time in
                middle + Vector.along(angle * min(1, time / duration)) * radius
            }
        ]
    }

    /// One finger turns a dial, two turn everything else.
    private func fingersOfTurn(_ act: TouchScript.Act) throws(ScriptError) -> Int {
        if let fingers = act.fingers { return fingers }
        guard act.target?.region != nil else { return 2 }
        let kinds = try panel.regions(of: act.target).flatMap { $0.gestures.map(\.settings.kind) }
        return kinds.contains(.dial) && !kinds.contains(.rotate) ? 1 : 2
    }

    /// The distance of the finger that turns a dial from the dial's middle.
    private func radius(_ act: TouchScript.Act) throws(ScriptError) -> Double {
        guard act.target?.region != nil, let region = try panel.regions(of: act.target).first else { return Self.apart }
        return min(region.bounds.width, region.bounds.height) * 0.35
    }

    /// Two fingers around a place.
    /// - Parameter change: the factor of their distance and the angle of the line between them, by the part of the movement.
    private mutating func pair(
        _ act: TouchScript.Act, span: Double, _ duration: Double,
        _ change: @escaping (Double) -> (factor: Double, angle: Double)
    ) throws(ScriptError) -> [ScriptFinger] {
        let (middle, late) = (try target(act), min(hand.landing(), duration / 2))
        return [-0.5, 0.5].map { side in
            let landing = side < 0 ? 0 : late
            return ScriptFinger(landing: landing, lift: duration + Self.stop) { time in
                let now = change(Self.smooth(min(1, (time + landing) / duration)))
                return middle + Vector.along(now.angle) * (side * span * now.factor)
            }
        }
    }

    // MARK: Drawings

    private mutating func drawing(_ act: TouchScript.Act) throws(ScriptError) -> [ScriptFinger] {
        let (points, region) = try shape(act)
        guard let spot = act.target ?? region.map({ TouchScript.Spot(region: $0, position: act.position) }) else {
            throw ScriptError(act.position, "directions need a place, such as draw left,down at pad")
        }
        let box = Shape.polygon(points).boundingBox
        let size = act.length.map { panel.length($0) } ?? Self.drawnSize
        let scale = size / max(box.width, box.height, .leastNormalMagnitude)
        let center = Point(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
        let middle = try panel.point(spot) + hand.miss()
        let path = DrawnPath(points.map { inside(middle + ($0 - center) * scale) })
        let duration = milliseconds(act) ?? hand.time(Self.drawing)
        return [ScriptFinger(landing: 0, lift: duration) { path.point(min(1, $0 / duration)) }]
    }

    /// The corners of a shape in any unit, and the region whose gesture it is.
    private func shape(_ act: TouchScript.Act) throws(ScriptError) -> (points: [Point], region: String?) {
        let name = act.shape ?? ""
        let words = name.split(separator: ",").map(String.init)
        let directions = words.compactMap { StatementReader.direction($0) }
        if directions.count == words.count, !words.isEmpty { return (Self.corners(directions), nil) }
        var names: [String] = []
        for region in try panel.regions(of: act.target) {
            for gesture in region.gestures {
                let points: [Point]
                switch gesture.settings {
                case .stroke(let settings): points = settings.templates.first?.points ?? []
                case .chain(let settings): points = Self.corners(settings.path)
                default: continue
                }
                if gesture.name == name, points.count > 1 { return (points, region.id) }
                names.append(gesture.name)
            }
        }
        let cure = Spelling.nearest(to: name, among: names).map { Spelling.hint($0) }
        let list =
            names.isEmpty ? "; write directions such as left,down" : "; there are \(names.joined(separator: ", "))"
        throw ScriptError(act.position, "no stroke or chain \"\(name)\"\(cure ?? list)")
    }

    private static func corners(_ path: [SwipeDirection]) -> [Point] {
        path.reduce(into: [Point.zero]) { $0.append(($0.last ?? .zero) + $1.unit) }
    }
}

/// A path with a constant speed.
private struct DrawnPath {
    private let points: [Point]
    /// The length up to each point.
    private let lengths: [Double]

    init(_ points: [Point]) {
        self.points = points
        lengths = zip(points, points.dropFirst()).reduce(into: [0.0]) {
            $0.append(($0.last ?? 0) + ($1.1 - $1.0).length)
        }
    }

    func point(_ part: Double) -> Point {
        let length = part * (lengths.last ?? 0)
        guard let next = lengths.firstIndex(where: { $0 >= length && $0 > 0 }), next > 0 else {
            return points.last ?? .zero
        }
        let step = lengths[next] - lengths[next - 1]
        let way = points[next] - points[next - 1]
        return points[next - 1] + way * (step > 0 ? (length - lengths[next - 1]) / step : 1)
    }
}
