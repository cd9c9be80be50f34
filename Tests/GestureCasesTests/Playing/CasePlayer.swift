// SPDX-License-Identifier: MIT
import GestureEngine

/// Plays a toolkit's touches to an engine, and keeps the events.
struct CasePlayer: ~Copyable {
    /// The default scale in millimetres per pixel of a toolkit, at which this engine's greatest velocity, 1300 mm/s,
    /// equals Flutter's, 8000 px/s. (Nominally it is 25.4 / 160 = 0.159 mm.)
    static let millimetersPerPixel = 0.1625

    private(set) var engine: GestureEngine
    private(set) var events: [GestureEvent] = []
    /// The origin of the glass in the toolkit's pixels: some cases touch left of or above 0.
    private let origin: Point
    private let scale: Double
    private var ids: [Int: ContactID] = [:]
    private var positions: [Int: Point] = [:]
    private var nextID: Int64 = 1

    /// - Parameter scale: in millimetres per pixel.
    init(_ regions: [Region], arbitration: ArbitrationSettings = ArbitrationSettings(), scale: Double, origin: Point) {
        self.scale = scale
        self.origin = origin
        engine = GestureEngine(
            regions, arbitration: arbitration, bounds: Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000))
        engine.reportsFailures = true
    }

    mutating func play(_ touches: [CaseTouch], framing: Framing) {
        for frame in touches.frames(framing) { play(frame: frame) }
    }

    /// Plays rows with the same time as one frame. Movements and lifts of fingers that are not down are ignored.
    mutating func play(frame touches: [CaseTouch]) {
        guard let first = touches.first else { return }
        let changes = touches.compactMap { change($0) }.sorted { $0.id < $1.id }
        engine.process(TouchFrame(time: first.time, changes: changes), into: &events)
    }

    mutating func advance(to milliseconds: Double) {
        engine.advance(to: Timestamp(microseconds: Int64((milliseconds * 1000).rounded())), into: &events)
    }

    /// Advances until nothing is pending, but for at most ten minutes.
    mutating func finish() {
        let end = Timestamp(microseconds: 600_000_000)
        while let deadline = engine.nextDeadline, deadline < end { engine.advance(to: deadline, into: &events) }
    }

    private mutating func change(_ touch: CaseTouch) -> ContactChange? {
        if touch.phase == .down {
            ids[touch.finger] = ContactID(nextID)
            nextID += 1
        }
        guard let id = ids[touch.finger] else { return nil }
        var position = positions[touch.finger] ?? .zero
        // The position of a cancel does not matter.
        if let x = touch.x, let y = touch.y, touch.phase != .cancel {
            position = Point(x: (x - origin.x) * scale, y: (y - origin.y) * scale)
        }
        positions[touch.finger] = position
        switch touch.phase {
        case .down: return ContactChange(id: id, kind: .landed, position: position)
        case .move: return ContactChange(id: id, kind: .moved, position: position)
        case .up:
            ids[touch.finger] = nil
            return ContactChange(id: id, kind: .lifted, position: position)
        case .cancel:
            ids[touch.finger] = nil
            return ContactChange(id: id, kind: .cancelled(.palm), position: position)
        }
    }
}

extension GestureEvent {
    var isFailure: Bool { if case .failed = detail { true } else { false } }

    /// Whether the event recognizes a gesture: it is the begin of a continuous one, or a discrete one.
    var isRecognition: Bool { !isFailure && (phase == nil || phase == .begin) }

    var milliseconds: Double { Double(time.microseconds) / 1000 }
}
