// SPDX-License-Identifier: MIT
import GestureEngine

/// The result of playing a case, compared with the terms of the case.
///
///     double_tap x1                   exactly one; without a number, at least one for each repetition of the term
///     long_press at 500±60ms          the time of the first one
///     swipe right fingers 2           the direction and the number of fingers of the first one
///     swipe right speed 1000±20%      the speed of the first one, in the toolkit's pixels per second
///     pinch scale 0.5±0.02            the last scale
///     rotate angle 45±1°              the last angle
///     no drag, no swipe up            there is none, or none in this direction
///     no pinch out                    the last scale is not greater than 1
struct CaseOutcome {
    var events: [GestureEvent]
    var gestures: [Gesture]
    /// Millimetres per pixel of the case.
    var scale: Double

    private func name(_ event: GestureEvent) -> String { gestures[event.gesture].name }

    /// A summary for messages.
    var summary: String {
        let words = events.filter { !$0.isFailure && name($0) != "press" && $0.phase != .update }.map { event in
            let phase = event.phase.map { " \($0)" } ?? ""
            return "\(event.milliseconds) \(name(event))\(phase)"
        }
        return "[" + words.joined(separator: ", ") + "]"
    }

    /// The events that match a pattern; `nil` if it cannot be read.
    private func events(_ words: some Collection<String>) -> [GestureEvent]? {
        guard let pattern = EventPattern(words.joined(separator: " ")) else { return nil }
        return events.filter { pattern.matches($0, named: name($0)) }
    }

    /// Returns descriptions of the differences between the events and a term that the case has `times` times.
    func mistakes(_ term: String, times: Int) -> [String] {
        var words = term.split(separator: " ").map(String.init)
        if words.first == "no" { return mistake(never: Array(words.dropFirst())).map { ["\(term), but \($0)"] } ?? [] }
        let details = words.firstIndex { Self.details.contains($0) || $0.hasPrefix("x") || isDirection($0) }
        guard let found = events(words[..<(details ?? words.count)]) else { return ["cannot read \(term)"] }
        words.removeFirst(details ?? words.count)
        guard let first = found.first, found.count >= times else { return ["\(term), but \(found.count) times"] }
        var mistakes: [String] = []
        while let word = words.first {
            let number = words.dropFirst().first.flatMap(Measure.init)
            if let mistake = mistake(first, found.count, word, number) { mistakes.append("\(term): \(mistake)") }
            words.removeFirst(min(words.count, Self.details.contains(word) ? 2 : 1))
        }
        return mistakes
    }

    private static let details: Set<String> = ["at", "fingers", "speed", "scale", "angle"]

    private func isDirection(_ word: String) -> Bool { SwipeDirection.allCases.contains { "\($0)" == word } }

    /// Checks one detail: a count such as `x1`, a direction, or a word with the number that follows it.
    private func mistake(_ event: GestureEvent, _ count: Int, _ word: String, _ number: Measure?) -> String? {
        if isDirection(word) { return direction(event) == word ? nil : "\(direction(event) ?? "-")" }
        if word.hasPrefix("x") { return Int(word.dropFirst()) == count ? nil : "\(count) times" }
        guard let number else { return "cannot read \(word)" }
        let (value, tolerance) = (number.value, number.tolerance ?? 0)
        let (got, limit): (Double?, Double) =
            switch word {
            case "at": (event.milliseconds, tolerance)
            case "fingers": (Double(event.fingers), 0)
            case "speed": (speed(event), tolerance / 100 * value)
            case "scale": (lastScale, tolerance)
            case "angle": (lastAngle, tolerance)
            default: (nil, 0)
            }
        guard let got, (got - value).magnitude <= limit else { return "\(word) \(got ?? .nan)" }
        return nil
    }

    /// Checks that an event did not occur. Returns a description of the problem; `nil` if there is none.
    private func mistake(never words: [String]) -> String? {
        if words == ["pinch", "out"] { return (lastScale ?? 0) > 1 ? "it came" : nil }
        let way = words.last.flatMap { isDirection($0) ? $0 : nil }
        guard let found = events(way == nil ? words : words.dropLast()) else { return "it cannot be read" }
        return found.contains { way == nil || direction($0) == way } ? "it came" : nil
    }

    private func direction(_ event: GestureEvent) -> String? {
        if case .swipe(let swipe) = event.detail { "\(swipe.direction)" } else { nil }
    }

    private func speed(_ event: GestureEvent) -> Double? {
        if case .swipe(let swipe) = event.detail { swipe.speed / scale } else { nil }
    }

    private var lastScale: Double? {
        events.compactMap { if case .pinch(let scale) = $0.detail { scale } else { nil } }.last
    }

    private var lastAngle: Double? {
        events.compactMap { if case .rotate(let rotation) = $0.detail { rotation } else { nil } }.last
    }
}
