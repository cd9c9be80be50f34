// SPDX-License-Identifier: MIT
import GestureEngine

/// The result of playing a case, in the terms of the cases.
struct CaseOutcome {
    var events: [GestureEvent]
    var gestures: [Gesture]
    /// Millimetres per pixel of the case.
    var scale: Double

    private var recognitions: [GestureEvent] { events.filter { $0.isRecognition && name($0) != "press" } }

    private func name(_ event: GestureEvent) -> String { gestures[event.gesture].name }

    /// For messages.
    var summary: String {
        let words = events.filter { !$0.isFailure && name($0) != "press" && $0.phase != .update }.map { event in
            let phase = event.phase.map { " \($0)" } ?? ""
            return "\(event.milliseconds) \(name(event))\(phase)"
        }
        return "[" + words.joined(separator: ", ") + "]"
    }

    /// The events that a term of a case refers to.
    private func events(_ word: String) -> [GestureEvent] {
        switch word {
        case "drag_begin": return events.filter { name($0) == "drag" && $0.phase == .begin }
        case "drag_move": return events.filter { name($0) == "drag" && $0.phase == .update }
        case "pinch_begin": return events.filter { name($0) == "pinch" && $0.phase == .begin }
        case "pinch_end": return events.filter { name($0) == "pinch" && $0.phase == .end }
        case "rotation": return recognitions.filter { name($0) == "rotate" }
        case "swipe": return recognitions.filter { name($0).hasSuffix("swipe") }
        case "any one-finger motion gesture": return recognitions.filter { ["drag", "swipe"].contains(name($0)) }
        default: return recognitions.filter { name($0) == word }
        }
    }

    /// Whether an event came that must not come.
    func holds(never word: String) -> Bool {
        if word.hasPrefix("any gesture of region") { return !recognitions.isEmpty }
        let words = word.split(separator: " ").map(String.init)
        if word == "pinch out" { return (scale(of: "pinch") ?? 0) > 1 }
        guard words.count == 2 else { return !events(word).isEmpty }
        return events(words[0]).contains { direction($0) == words[1] }
    }

    func mistakes(_ expectation: GestureCase.Expectation, times: Int) -> [String] {
        let found = events(expectation.gesture)
        var mistakes: [String] = []
        func check(_ holds: Bool, _ what: String) {
            if !holds { mistakes.append("\(expectation.gesture): \(what)") }
        }
        if let count = expectation.count {
            check(found.count == count, "\(found.count) times, not \(count)")
        } else {
            check(found.count >= times, "\(found.count) times, not \(times)")
        }
        guard let first = found.first else { return mistakes }
        if let time = expectation.milliseconds {
            let off = (first.milliseconds - time).magnitude
            check(off <= expectation.millisecondsTolerance ?? 0, "at \(first.milliseconds) ms, not \(time)")
        }
        if let wanted = expectation.direction { check(direction(first) == wanted, "\(direction(first) ?? "-")") }
        if let fingers = expectation.fingers { check(first.fingers == fingers, "\(first.fingers) fingers") }
        if let velocity = expectation.velocity, case .swipe(let swipe) = first.detail {
            let off = (swipe.speed / scale / velocity - 1).magnitude
            check(off <= expectation.tolerance ?? 0, "\(swipe.speed / scale) px/s, not \(velocity)")
        }
        if let wanted = expectation.scale {
            let last = scale(of: "pinch") ?? 0
            check((last - wanted).magnitude <= expectation.tolerance ?? 0, "scale \(last), not \(wanted)")
        }
        if let wanted = expectation.angle {
            let last = rotation() ?? 0
            check((last - wanted).magnitude <= expectation.tolerance ?? 1, "\(last) degrees, not \(wanted)")
        }
        return mistakes
    }

    private func direction(_ event: GestureEvent) -> String? {
        if case .swipe(let swipe) = event.detail { "\(swipe.direction)" } else { nil }
    }

    private func scale(of gesture: String) -> Double? {
        events.compactMap { if case .pinch(let scale) = $0.detail { scale } else { nil } }.last
    }

    private func rotation() -> Double? {
        events.compactMap { if case .rotate(let rotation) = $0.detail { rotation } else { nil } }.last
    }
}
