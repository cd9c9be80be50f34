// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// A value of a key as it was written. Its value in the engine depends on the panel, because lengths do.
enum WrittenValue: Hashable, Sendable {
    case value(SettingValue)
    /// A length, or a speed as the length per second.
    case length(Length)
    case steps([PatternStepRule])

    func inEngine(_ scale: LengthScale) -> SettingValue {
        switch self {
        case .value(let value): value
        case .length(let length): .number(scale.millimeters(length))
        case .steps(let steps): .steps(steps.map { $0.step })
        }
    }
}

/// One step of a pattern: a gesture's name or type, a blank, and a region's id, such as `"tap corner"`.
struct PatternStepRule: Hashable, Sendable {
    var step: PatternSettings.Step
    /// The location of the step's text.
    var range: SourceRange
}

extension SettingShape {
    /// - Returns: `nil` after an error.
    func read(_ value: ValueReader) -> WrittenValue? {
        switch self {
        case .flag: value.boolean().map { .value(.flag($0)) }
        case .count(let range): value.integer(range).map { .value(.count($0)) }
        case .degrees(let range, let isOpen):
            value.number(range, isOpen: isOpen, unit: "°").map { .value(.number($0)) }
        case .ratio(let range, let isOpen): value.number(range, isOpen: isOpen).map { .value(.number($0)) }
        case .length: value.threshold().map { .length($0) }
        case .speed: value.speed().map { .length($0) }
        case .time(let least): value.interval(atLeast: least).map { .value(.time($0)) }
        case .word(let words): value.word(words).map { .value(.words([$0])) }
        case .words(let words): value.words(words).map { .value(.words($0)) }
        case .path(let words, let most): value.path(words, most: most).map { .value(.words($0)) }
        case .counts(let range): value.fingerRange(range).map { .value(.counts($0)) }
        case .oneOrAny: value.oneOrAny().map { .value(.flag($0)) }
        case .templates: value.templates().map { .value(.templates($0)) }
        case .steps: value.steps().map { .steps($0) }
        case .orOff(let shape): value.unlessOff { shape.read($0) }.map { $0 ?? .value(.off) }
        }
    }
}

extension ValueReader {
    fileprivate func integer(_ range: ClosedRange<Int>) -> Int? {
        integer(Int64(range.lowerBound)...Int64(range.upperBound))
    }

    /// Reads the number of fingers of a press, which is 1 or "any". Returns whether it is 1.
    fileprivate func oneOrAny() -> Bool? {
        if notes(.choice([.init("1", isNumber: true, true), .init("any", false)])) { return nil }
        return switch value.kind {
        case .integer(1): true
        case .string("any"): false
        default: error(.badValue, "\(name) of a press must be 1 or \"any\"")
        }
    }

    fileprivate func word(_ words: [String]) -> String? { choice(words.map { ($0, $0) }) }

    /// Reads one or more of these words.
    fileprivate func words(_ words: [String]) -> [String]? {
        if notes(.list(ValueNote { $0.word(words) }, 1...Int.max)) { return nil }
        guard let values = array(of: name, each: "a direction") else { return nil }
        var result: [String] = []
        for value in values {
            guard let choice = value.word(words) else { return nil }
            if !result.contains(choice) { result.append(choice) }
        }
        if result.isEmpty {
            return error(.badValue, "\(name) is empty; name at least one")
        }
        return result
    }

    /// Reads the directions of a chain, in order.
    fileprivate func path(_ words: [String], most: Int) -> [String]? {
        if notes(.list(ValueNote { $0.word(words) }, 1...most)) { return nil }
        guard let values = array(of: "directions", each: "a direction") else { return nil }
        guard (1...most).contains(values.count) else {
            return error(
                values.isEmpty ? .badValue : .tooMany, "\(name) has \(values.count) directions; use 1 to \(most)")
        }
        var path: [String] = []
        for value in values {
            guard let direction = value.word(words) else { return nil }
            if path.last == direction {
                return value.error(
                    .badValue,
                    "\(name) has the same direction twice in a row, which a finger cannot show; name it once")
            }
            path.append(direction)
        }
        return path
    }

    /// Reads a number of fingers, a range such as `"1..3"`, or `"any"`.
    fileprivate func fingerRange(_ allowed: ClosedRange<Int>) -> ClosedRange<Int>? {
        if notes(.fingers(allowed)) { return nil }
        guard case .string(let text) = value.kind else { return integer(allowed).map { $0...$0 } }
        if text == "any" { return allowed }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, let least = Int(parts[0]), let most = Int(parts[2]),
            allowed.contains(least), allowed.contains(most), least <= most
        else {
            return error(
                .badValue,
                "\(name) cannot be \"\(text)\"; use a number, a range such as \"1..3\", or \"any\"")
        }
        return least...most
    }

    /// Reads the points of one template, or an array of such templates.
    fileprivate func templates() -> [StrokeTemplate]? {
        if notes(.templates) { return nil }
        let what = "points such as [0, 1]"
        guard let values = array(of: what, each: "a point of \(name)") else { return nil }
        // A point is an array of numbers, so an array of arrays of arrays is a list of templates.
        let isList = values.first?.isArrayOfArrays == true
        guard isList else { return template(values).map { [$0] } }
        guard values.count <= StrokeTemplate.most else {
            return error(.tooMany, "\(name) has \(values.count) templates; use at most \(StrokeTemplate.most)")
        }
        let templates = values.map { value -> StrokeTemplate? in
            let template = value.named("a template of \(name)")
            return template.array(of: what, each: "a point of \(name)").flatMap { template.template($0) }
        }
        return templates.contains(nil) ? nil : templates.compactMap(\.self)
    }

    private var isArrayOfArrays: Bool {
        guard case .array(let values) = value.kind, case .array? = values.first?.kind else { return false }
        return true
    }

    private func template(_ values: [ValueReader]) -> StrokeTemplate? {
        guard StrokeTemplate.counts.contains(values.count) else {
            let (least, most) = (StrokeTemplate.counts.lowerBound, StrokeTemplate.counts.upperBound)
            return error(
                values.count > most ? .tooMany : .badValue,
                "\(name) has \(counted(values.count, "point")); use \(least) to \(most)")
        }
        let points = values.compactMap { $0.point() }
        guard points.count == values.count else { return nil }
        guard points.contains(where: { $0 != points[0] }) else {
            return error(.badValue, "\(name) has one point several times; draw a shape")
        }
        return StrokeTemplate(points)
    }

    private func point() -> Point? {
        guard let values = tuple(["x", "y"], of: "two numbers, x and y") else { return nil }
        let range = -StrokeTemplate.largest...StrokeTemplate.largest
        let numbers = values.compactMap { $0.number(range) }
        return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }

    fileprivate func steps() -> [PatternStepRule]? {
        if notes(.list(ValueNote { $0.notes(.step) }, 1...PatternSettings.mostSteps)) { return nil }
        guard let values = array(of: "steps such as \"tap corner\"", each: "a step") else { return nil }
        guard (1...PatternSettings.mostSteps).contains(values.count) else {
            return error(
                values.isEmpty ? .badValue : .tooMany,
                "\(name) has \(values.count) steps; use 1 to \(PatternSettings.mostSteps)")
        }
        let steps = values.compactMap { $0.step() }
        return steps.count == values.count ? steps : nil
    }

    /// Splits at the last blank: neither names nor ids contain blanks.
    private func step() -> PatternStepRule? {
        guard let text = string() else { return nil }
        guard let blank = text.lastIndex(of: " "), blank > text.startIndex, text.index(after: blank) < text.endIndex
        else {
            return error(.badValue, "a step cannot be \"\(text)\"; use a gesture and a region: \"tap corner\"")
        }
        return PatternStepRule(
            step: .init(gesture: String(text[..<blank]), region: String(text[text.index(after: blank)...])),
            range: value.range)
    }
}
