// SPDX-License-Identifier: MIT
import GestureEngine

/// Compares the assertions of a toolkit's test with the engine's events.
///
///     tap, drag end, motion     an event that matches (see `EventPattern`) has come, at any time
///     no tap                    no tap has been recognized since the previous term about taps
///     tap x2                    exactly this number of events has come
///     scale 2                   the scale since the number of fingers last changed
///     angle 45°                 the angle since then; half a turn may have either sign
///     at 20,30                  the position of the last event of a motion, in the test's pixels
///     begin at 30,0             the position where the last motion began
///     step 0,-5 (step 10)       the movement of the last event of a motion (along x)
///     fingers 2                 the number of fingers of a motion
///     time 200ms                the time of the last event of a motion; `begin time` is that of its `begin`
///     velocity x 1000±10        the velocity of a drag at its end, in pixels per second
///
/// The difference between `tap` and `no tap` exists because the toolkits' tests reset some variables after reading
/// them, which their steps do not show.
struct StepObserver {
    let gestures: [Gesture]
    /// Millimetres per pixel.
    let scale: Double
    let origin: Point
    private var events: [GestureEvent] = []
    /// The number of events at the time of the last term about each pattern.
    private var seen: [String: Int] = [:]
    /// The scale and the angle at the last change of the number of fingers, when the toolkits start over.
    private var base = (scale: 1.0, angle: 0.0)

    init(gestures: [Gesture], scale: Double, origin: Point) {
        self.gestures = gestures
        self.scale = scale
        self.origin = origin
    }

    /// - Parameter events: all events so far.
    mutating func take(_ events: [GestureEvent]) { self.events = events.filter { !$0.isFailure } }

    /// Records that the number of fingers has changed.
    mutating func fingersChange(_ events: [GestureEvent]) {
        take(events)
        base = (lastScale ?? 1, lastAngle ?? 0)
    }

    /// - Returns: a description of how the events differ from a term; `nil` if they do not.
    mutating func mistake(_ term: String) -> String? {
        let words = term.split(separator: " ").map(String.init)
        if let (got, wanted, tolerance) = measured(words) {
            let holds = got.count == wanted.count && zip(got, wanted).allSatisfy { ($0 - $1).magnitude <= tolerance }
            return holds ? nil : "\(term), but \(got)"
        }
        var pattern = words
        var number: Int?
        if let last = pattern.last, last.hasPrefix("x"), let count = Int(last.dropFirst()) {
            number = count
            pattern.removeLast()
        }
        let isAbsent = pattern.first == "no"
        if isAbsent { pattern.removeFirst() }
        let text = pattern.joined(separator: " ")
        guard let count = count(text, from: isAbsent ? seen[text] ?? 0 : 0) else { return "cannot read \(term)" }
        seen[text] = events.count
        let holds = isAbsent ? count == 0 : number.map { count == $0 } ?? (count > 0)
        return holds ? nil : "\(term), but \(count) times"
    }

    /// The number of events from `start` on that match a pattern; `nil` if it cannot be read.
    private func count(_ text: String, from start: Int) -> Int? {
        guard let pattern = EventPattern(text) else { return nil }
        return events.dropFirst(start).count { pattern.matches($0, named: gestures[$0.gesture].name) }
    }

    // MARK: Measures

    private var lastScale: Double? {
        events.compactMap { if case .pinch(let scale) = $0.detail { scale } else { nil } }.last
    }

    private var lastAngle: Double? {
        events.compactMap { if case .rotate(let rotation) = $0.detail { rotation } else { nil } }.last
    }

    /// The events of drags, pinches and rotations.
    private func motions(_ phase: GestureEvent.Phase? = nil) -> [GestureEvent] {
        events.filter { event in
            ["drag", "pinch", "rotate"].contains(gestures[event.gesture].name) && (phase == nil || event.phase == phase)
        }
    }

    /// The position in the test's pixels.
    private func pixels(_ event: GestureEvent?) -> [Double] {
        guard let event else { return [] }
        return [event.position.x / scale + origin.x, event.position.y / scale + origin.y]
    }

    /// The measured value, the expected value and the tolerance; `nil` if the term is about the number of events.
    private mutating func measured(_ words: [String]) -> ([Double], [Double], Double)? {
        let numbers = (words.last ?? "").split(separator: ",").compactMap { Measure(String($0)) }
        guard let first = numbers.first else { return nil }
        let wanted = numbers.map(\.value)
        switch words.dropLast().joined(separator: " ") {
        case "scale": return ([(lastScale ?? 1) / base.scale], wanted, 0.01)
        case "angle":
            let turned = (lastAngle ?? 0) - base.angle
            return first.value.magnitude == 180 ? ([turned.magnitude], [180], 0.5) : ([turned], wanted, 0.5)
        case "at": return (pixels(motions().last), wanted, 0.1)
        case "begin at": return (pixels(motions(.begin).last), wanted, 0.1)
        case "step": return (Array(step().prefix(wanted.count)), wanted, 0.1)
        case "fingers": return (motions().last.map { [Double($0.fingers)] } ?? [], wanted, 0)
        case "time": return (motions().last.map { [$0.milliseconds] } ?? [], wanted, 0)
        case "begin time": return (motions(.begin).last.map { [$0.milliseconds] } ?? [], wanted, 0)
        case "velocity x": return (velocity().map { [$0.dx] } ?? [], wanted, first.tolerance ?? 0)
        case "velocity y": return (velocity().map { [$0.dy] } ?? [], wanted, first.tolerance ?? 0)
        default: return nil
        }
    }

    private func velocity() -> Vector? {
        guard case .drag(_, let velocity, _, _, _)? = motions(.end).last?.detail else { return nil }
        return velocity * (1 / scale)
    }

    /// The last step of a motion since the last term about steps. It is zero if there was no event, because a report at
    /// an unchanged position does not cause an event.
    private mutating func step() -> [Double] {
        let start = seen["step"] ?? 0
        seen["step"] = events.count
        guard motions().last == events.dropFirst(start).last else { return [0, 0] }
        let positions = motions().map { pixels($0) }
        guard let last = positions.last, let before = positions.dropLast().last else { return [] }
        return [last[0] - before[0], last[1] - before[1]]
    }
}
