// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Selects how contacts that change at the same time are grouped into frames.
enum Framing: String, CaseIterable, Sendable {
    /// As in a kernel, simultaneous changes of different fingers are one frame.
    case together
    /// As in the toolkits' own tests, each change is a frame.
    case apart
}

/// Plays a toolkit's touches to an engine, and collects the events.
struct CasePlayer: ~Copyable {
    /// The default scale, in millimetres per pixel of a toolkit. At this scale the maximum velocity of this engine,
    /// 1300 mm/s, equals that of Flutter, 8000 px/s. The nominal size of a pixel is 25.4 / 160 = 0.159 mm.
    static let millimetersPerPixel = 0.1625

    private(set) var engine: GestureEngine
    private(set) var events: [GestureEvent] = []
    /// The origin of the glass in the toolkit's pixels, which may be negative because some cases have negative
    /// positions.
    private let origin: Point
    private let scale: Double
    private var time = Timestamp(microseconds: 0)

    /// - Parameter scale: millimetres per pixel.
    init(_ regions: [Region], scale: Double, origin: Point) {
        self.scale = scale
        self.origin = origin
        engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000))
        engine.reportsFailures = true
    }

    mutating func play(_ step: TouchScript.Step, framing: Framing = .together) {
        switch step {
        case .wait(let interval): time = time + interval
        case .advance: engine.advance(to: time, into: &events)
        case .frame(let changes):
            for frame in framing == .together ? [changes] : changes.map({ [$0] }) { process(frame) }
        case .reload, .updates, .failures: Issue.record("not for cases: \(step)")
        }
    }

    /// Advances until nothing is pending, but by at most ten minutes.
    mutating func finish() {
        let end = Timestamp(microseconds: 600_000_000)
        while let deadline = engine.nextDeadline, deadline < end { engine.advance(to: deadline, into: &events) }
    }

    private mutating func process(_ changes: [ContactChange]) {
        let scaled = changes.map { change in
            let position = Point(
                x: (change.position.x - origin.x) * scale, y: (change.position.y - origin.y) * scale)
            return ContactChange(id: change.id, kind: change.kind, position: position)
        }
        engine.process(TouchFrame(time: time, changes: scaled), into: &events)
    }
}

extension GestureEvent {
    var isFailure: Bool { if case .failed = detail { true } else { false } }

    /// Whether the event is a discrete gesture or the beginning of a continuous one.
    var isRecognition: Bool { !isFailure && (phase == nil || phase == .begin) }

    var milliseconds: Double { Double(time.microseconds) / 1000 }
}
