// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Recordings

/// A gesture that a person makes while another hand is on the glass: all of the shipped configuration, one of each kind that
/// it lacks, and two where each contact is alone.
enum MeantGesture: String, CaseIterable, Sendable {
    case button, tap, doubleTap, twoFingerTap, longPress, service, `repeat`, swipe, drag, pinch, rotate, scroll, dial,
        chain, stroke, pattern, tapEach, dragEach

    /// The gesture's name in its configuration.
    var name: String {
        switch self {
        case .doubleTap: "double_tap"
        case .twoFingerTap: "two_finger_tap"
        case .longPress: "long_press"
        case .pattern: "service"
        case .tapEach: "tap"
        case .dragEach: "drag"
        default: rawValue
        }
    }

    /// The beginning of its row in the table of the page.
    var title: String {
        switch self {
        case .button, .repeat: "`\(name)` of the shipped buttons"
        case .service: "`long_press` of 3 s"
        case .scroll: "`drag` of a list"
        case .tapEach, .dragEach: "`\(name)` with `contacts = \"each\"`"
        default: "`\(self == .pattern ? rawValue : name)`"
        }
    }

    /// Where the gesture is configured: a shipped file, or a text.
    private var source: String {
        switch self {
        case .scroll: "config/examples/scrolling-list.toml"
        case .pattern: "config/examples/terminal.toml"
        default: "config/gestured.toml"
        }
    }

    private var isEach: Bool { self == .tapEach || self == .dragEach }

    /// The gestures that no shipped file has, on a page as that of the shipped configuration.
    private var own: String? {
        let (shape, gesture): (String, String)
        switch self {
        case .dial: (shape, gesture) = (#"{ rect = ["87mm", "12mm", "170mm", "170mm"] }"#, #""dial""#)
        case .chain: (shape, gesture) = (#""full""#, #"{ type = "chain", path = ["right", "down"] }"#)
        case .stroke:
            (shape, gesture) = (
                #""full""#, #"{ type = "stroke", points = [[0, 6], [3.5, 10], [10, 0]] }"#
            )
        case .tapEach, .dragEach: (shape, gesture) = (#""full""#, "\"\(name)\"")
        default: return nil
        }
        return """
            version = 1
            [[region]]
            id = "page"
            shape = \(shape)
            \(isEach ? "contacts = \"each\"" : "contacts = \"near\"\nrest_after = \"2s\"")
            gestures = [\(gesture)]
            """
    }

    func setup() throws -> PanelSetup {
        let text = own ?? Document(source)?.text ?? ""
        let (configuration, diagnostics) = ConfigurationReader.read([(source, Array(text.utf8))])
        guard let configuration else { throw TestFailure("\(diagnostics)") }
        guard case .ready(let setup) = PanelDecision(Glass.description, configuration, fallbackName: "panel") else {
            throw TestFailure("the panel is refused")
        }
        return setup
    }

    /// The contacts of a hand that makes the gesture.
    func contacts(seed: UInt64) throws -> [GlassContact] {
        var hand = MeaningHand(seed)
        switch self {
        case .button: return try hand.synthetic(.tap, in: Rectangle(minX: 24, minY: 155, maxX: 155, maxY: 178))
        case .repeat: return try hand.synthetic(.hold, in: Rectangle(minX: 189, minY: 155, maxX: 320, maxY: 178))
        case .tap, .tapEach: return try hand.synthetic(.tap)
        case .doubleTap: return try hand.synthetic(.doubleTap)
        case .twoFingerTap: return try hand.synthetic(.twoFingerTap)
        case .longPress: return try hand.synthetic(.hold)
        case .swipe: return try hand.synthetic(.swipe)
        case .drag, .dragEach: return try hand.synthetic(.drag)
        case .pinch: return try hand.synthetic(.pinch)
        case .rotate: return try hand.synthetic(.rotate)
        case .scroll: return try hand.scroll()
        case .service: return [hand.hold(Point(x: 336, y: 8), 0, 3200...4200)]
        case .dial: return [hand.turn(around: Point(x: 172, y: 97))]
        case .chain: return [hand.chain()]
        case .stroke: return [hand.check()]
        case .pattern: return hand.corners()
        }
    }
}

/// Makes gestures as the other hands of the tests do, near the middle of the panel.
private struct MeaningHand {
    private let seed: UInt64
    private var random: SeededRandom

    init(_ seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed + 5000)
    }

    /// A gesture of a synthetic hand, moved into an area if one is given.
    mutating func synthetic(_ gesture: SyntheticGesture, in area: Rectangle? = nil) throws -> [GlassContact] {
        var panel = SyntheticPanel.laptop
        panel.rate = random.pick([64, 80, 100, 120, 133])
        let made = SyntheticRecording.repeated(gesture, count: 1, on: panel, seed: seed)
        var contacts = Glass.contacts(of: try EvemuReader.read(Array(made.text.utf8)))
        guard let area, let first = contacts.first else { return contacts }
        let place = Point(x: random.number(area.minX, area.maxX), y: random.number(area.minY, area.maxY))
        let way = place - first.path(first.landing)
        for index in contacts.indices { contacts[index].shift(by: way) }
        return contacts
    }

    /// The first drag of the synthetic hand that goes up or down.
    mutating func scroll() throws -> [GlassContact] {
        for attempt in 0..<50 {
            var hand = MeaningHand(seed + 1000 * UInt64(attempt))
            let contacts = try hand.synthetic(.drag)
            let way = contacts[0].path(contacts[0].lift) - contacts[0].path(0)
            if way.dy.magnitude > way.dx.magnitude { return contacts }
        }
        return []
    }

    /// A finger that stays at a place, up to 3 mm from a point.
    mutating func hold(_ point: Point, _ time: Double, _ duration: ClosedRange<Double>) -> GlassContact {
        let place = point + Vector(dx: random.number(-3, 3), dy: random.number(-3, 3))
        let tremor = random.tremor(0.2, 6...11)
        return GlassContact(time, time + random.number(in: duration)) { place + tremor($0) }
    }

    /// A finger that turns by 90 to 540° around a point.
    mutating func turn(around middle: Point) -> GlassContact {
        let (radius, start) = (random.number(20, 35), random.number(0, 2 * .pi))
        let turn = random.number(90, 540) * .pi / 180 * (random.chance(50) ? 1 : -1)
        let duration = turn.magnitude / random.number(1.5, 6) * 1000
        let (wobble, tremor) = (random.number(-3, 3), random.tremor(0.2, 6...11))
        return GlassContact(0, duration + random.number(20, 150)) { time in
            let part = min(max(time / duration, 0), 1)
            let angle = start + turn * part * part * (3 - 2 * part)
            let distance = radius + wobble * sin(3 * angle)
            return middle + Vector(dx: cos(angle), dy: sin(angle)) * distance + tremor(time)
        }
    }

    mutating func chain() -> GlassContact {
        var finger = SyntheticChain(seed)
        finger.slant = 12
        return drawn(finger.draw([.right, .down]))
    }

    /// A check mark of a drawing hand, a stroke of two lines.
    mutating func check() -> GlassContact {
        var hand = DrawingHand(seed)
        let shape = DrawnShape.all.first { $0.name == "check" } ?? DrawnShape.all[0]
        return drawn(hand.draw(shape).map { (Double($0.time) / 1000, $0.position) })
    }

    /// Moves a drawn line so that its middle is near that of the panel.
    private mutating func drawn(_ reports: [(time: Double, position: Point)]) -> GlassContact {
        let sum = reports.reduce(Vector.zero) { $0 + ($1.position - .zero) }
        let middle = Point(x: random.number(155, 189), y: random.number(87, 107))
        let way = middle - (.zero + sum * (1 / Double(reports.count)))
        let last = reports[reports.count - 1].time
        return GlassContact(reports: reports.map { ($0.time, $0.position + way) }, lift: last + random.number(5, 60))
    }

    /// Two taps in the left corner, and a hold in the right one.
    mutating func corners() -> [GlassContact] {
        let first = hold(Point(x: 8, y: 8), 0, 60...160)
        let second = hold(Point(x: 8, y: 8), first.lift + random.number(250, 700), 60...160)
        let third = hold(Point(x: 336, y: 8), second.lift + random.number(300, 800), 2200...2900)
        return [first, second, third]
    }
}
