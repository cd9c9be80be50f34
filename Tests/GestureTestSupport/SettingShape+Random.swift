// SPDX-License-Identifier: MIT
package import GestureEngine

/// A source of choices: random numbers, or the bytes of a fuzzer.
package protocol ChoiceSource {
    /// A number from 0 to `count - 1`; 0 if `count` is less than 2.
    mutating func below(_ count: Int) -> Int
    mutating func number(_ low: Double, _ high: Double) -> Double
    /// A length in millimetres, never less than `low`.
    mutating func length(_ low: Double, _ high: Double) -> Double
    /// A time in microseconds.
    mutating func time(_ low: Int64, _ high: Int64) -> Int64
}

extension ChoiceSource {
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
    package mutating func flip() -> Bool { below(2) == 1 }
}

extension SettingShape {
    /// Returns any value of this shape.
    /// - Parameter bounds: the bounds of a number, in the units of the engine, and of a time in milliseconds. By default they
    ///   are wider than what people use.
    package func random(_ source: inout some ChoiceSource, in bounds: ClosedRange<Double>? = nil) -> SettingValue {
        switch self {
        case .flag, .oneOrAny: return .flag(source.flip())
        case .count(let range):
            let allowed = bounds.map { Int($0.lowerBound)...Int($0.upperBound) } ?? range
            return .count(allowed.lowerBound + source.below(min(allowed.count, 10)))
        case .degrees(let range, let isOpen), .ratio(let range, let isOpen):
            let allowed = bounds ?? range
            let number = source.length(allowed.lowerBound, allowed.upperBound)
            return .number(isOpen && number == range.lowerBound ? allowed.upperBound : number)
        case .length: return .number(source.length(bounds?.lowerBound ?? 0, bounds?.upperBound ?? 40))
        case .speed: return .number(source.number(bounds?.lowerBound ?? 0, bounds?.upperBound ?? 1300))
        case .time(let least):
            let low = max(least.microseconds, Int64((bounds?.lowerBound ?? 0) * 1000))
            let high = max(low, Int64((bounds?.upperBound ?? 3000) * 1000))
            return .time(Interval(microseconds: source.time(low, high)))
        case .orOff(let shape): return source.below(4) == 0 ? .off : shape.random(&source, in: bounds)
        case .word(let words): return .words([source.pick(words)])
        case .words(let words):
            let some = words.filter { _ in source.flip() }
            return .words(some.isEmpty ? [source.pick(words)] : some)
        case .path(let words, let most): return .words(Self.path(words, most: most, &source))
        case .counts(let range):
            let least = range.lowerBound + source.below(3)
            return .counts(least...min(range.upperBound, least + source.pick([0, 0, 0, 1, 2, 9])))
        case .templates: return .templates((0...source.below(3)).map { _ in Self.template(&source) })
        // Only a world knows the gestures of its regions.
        case .steps: return .steps([.init(gesture: "tap", region: "r0")])
        }
    }

    /// Words of which neighbours differ. Half of the paths have only the first four.
    private static func path(_ words: [String], most: Int, _ source: inout some ChoiceSource) -> [String] {
        let some = source.flip() ? words : Array(words.prefix(4))
        var path: [String] = []
        for _ in 0..<min(most, source.pick([1, 1, 1, 2, 2, 2, 3, 4, 8])) {
            path.append(source.pick(some.filter { $0 != path.last }))
        }
        return path
    }

    /// A straight line, a corner, or any other shape of up to six points.
    private static func template(_ source: inout some ChoiceSource) -> StrokeTemplate {
        var points = [.zero, Point(x: source.number(1, 10), y: source.number(-10, 10))]
        for _ in 0..<source.pick([0, 0, 1, 2, 3, 4]) {
            points.append(Point(x: source.number(-10, 10), y: source.number(-10, 10)))
        }
        return StrokeTemplate(points)
    }
}

extension KindRow {
    /// The keys whose values differ from those of a gesture without keys.
    package func differences(_ settings: GestureSettings) -> [Setting] {
        keys.filter { $0.get(settings) != $0.get(standard) }
    }
}
