// SPDX-License-Identifier: MIT
import GestureEngine

/// Checks that the numbers of an event are within the limits of its gesture's settings.
enum EventNumbers {
    /// The maximum velocity, in millimetres per second; faster movements are clamped to it.
    private static let fastest = SwipeSettings.fastest
    /// Lengths may differ by this much, in millimetres.
    private static let tolerance = 0.001

    /// A description of the numbers that are out of range; `nil` if there are none.
    static func problem(_ event: GestureEvent, _ gesture: Gesture) -> String? {
        switch (event.detail, gesture.settings) {
        case (.failed(let failure), _):
            return failure.value.isFinite && failure.limit.isFinite ? nil : "\(failure)"
        case (.press(_, let held), .press): return heldProblem(held, event.phase)
        case (.longPress(let held), .longPress(let settings)):
            if event.phase == .begin, event.fingers != settings.fingers { return "\(event.fingers) fingers" }
            if event.phase == .update { return "an update" }
            return heldProblem(held, event.phase)
        case (.tap(let count, let duration), .tap(let settings)):
            if count != settings.count || event.fingers != settings.fingers {
                return "\(event.fingers) fingers, \(count) times"
            }
            // The duration of a tap that waits does not include the wait.
            return duration < .zero || duration >= settings.maxTime && settings.count == 1
                ? "took \(duration.microseconds) us" : nil
        case (.repeat(let n, let held), .repeat(let settings)):
            return n < 1 || held < settings.delay || held > settings.maxDuration
                ? "n \(n) at \(held.microseconds)" : nil
        case (.drag(let translation, let velocity, let start, let predicted, let scale), .drag(let settings)):
            let factor = scale ?? 1
            if (scale != nil) != settings.zoom || !factor.isFinite || factor <= 0 { return "scale \(factor)" }
            return dragProblem(event, settings, [translation, velocity, start - .zero], predicted, speed: velocity)
        case (.swipe(let detail), .swipe(let settings)): return swipeProblem(event, detail, settings)
        case (.pinch(let scale), .pinch): return scale.isFinite && scale >= 0 ? nil : "scale \(scale)"
        case (.rotate(let rotation), .rotate): return rotation.isFinite ? nil : "rotation \(rotation)"
        case (.dial(let rotation, let steps, let velocity), .dial(let settings)):
            return rotation.isFinite && velocity.isFinite && stepsAreRight(steps, settings.step, rotation)
                ? nil : "rotation \(rotation), steps \(steps.map(String.init) ?? "none"), velocity \(velocity)"
        case (.chain(let duration, _), .chain(let settings)):
            return duration < .zero || duration > settings.maxTime ? "took \(duration.microseconds) us" : nil
        case (.stroke(let score, let duration, _), .stroke(let settings)):
            return duration < .zero || !(score >= settings.minScore && score <= 1) ? "a score of \(score)" : nil
        case (.pattern(let steps, let duration), .pattern(let settings)):
            return steps != settings.steps.count || duration < .zero || duration > settings.timeout
                ? "\(steps) steps in \(duration.microseconds) us" : nil
        default: return "not a \(gesture.word)"
        }
    }

    /// Whether the steps are the whole ones in the rotation, or a step more that has not been taken back yet.
    private static func stepsAreRight(_ steps: Int?, _ step: Double, _ rotation: Double) -> Bool {
        guard step > 0, let steps else { return step == 0 && steps == nil }
        let sign = steps < 0 || steps == 0 && rotation < 0 ? -1.0 : 1
        let part = rotation * sign / step - Double(steps.magnitude)
        return part < 1 && part > (steps == 0 ? -1 : -0.26)
    }

    private static func heldProblem(_ held: Interval?, _ phase: GestureEvent.Phase?) -> String? {
        switch (phase, held) {
        case (.begin, .some): "held at the begin"
        case (.end, nil): "an end that was not held"
        case (_, let held?) where held < .zero: "held \(held.microseconds) us"
        default: nil
        }
    }

    private static func dragProblem(
        _ event: GestureEvent, _ settings: DragSettings, _ vectors: [Vector], _ predicted: Point?, speed: Vector
    ) -> String? {
        for vector in vectors where !(vector.dx.isFinite && vector.dy.isFinite) { return "not finite" }
        if speed.length > fastest + 1e-6 { return "\(speed.length) mm/s" }
        if (event.phase == .end) != (predicted != nil) { return "a predicted end, or none" }
        if event.phase == .begin, !settings.fingerRange.contains(event.fingers) { return "\(event.fingers) fingers" }
        guard settings.isLocked, settings.axis != .any else { return nil }
        let across = vectors.prefix(2).map { settings.axis == .horizontal ? $0.dy : $0.dx }
        return across.allSatisfy { $0 == 0 } ? nil : "moved across its axis"
    }

    private static func swipeProblem(
        _ event: GestureEvent, _ detail: SwipeDetail, _ settings: SwipeSettings
    ) -> String? {
        if event.fingers != settings.fingers { return "\(event.fingers) fingers" }
        if !settings.directions.contains(detail.direction) { return "\(detail.direction)" }
        if !(detail.distance >= settings.minDistance - tolerance) { return "\(detail.distance) mm" }
        if !(detail.speed >= settings.minVelocity - tolerance && detail.speed <= fastest + 1e-6) {
            return "\(detail.speed) mm/s"
        }
        if detail.duration > settings.maxTime || detail.duration < .zero { return "\(detail.duration.microseconds) us" }
        return detail.angle > -180 && detail.angle <= 180 ? nil : "\(detail.angle) degrees"
    }
}
