// SPDX-License-Identifier: MIT
import GestureEngine

extension Setting {
    /// Values of the key, to be tried one by one where no limit is known.
    var trials: [Remedy.Need] {
        shape.trials.map { Remedy.Need(key: name, value: $0, isFar: shape.isQuantity && $0 != SettingShape.off) }
    }
}

extension SettingShape {
    fileprivate static let off = "\"off\""
    private static let numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0.5, 15, 30, 60, 90, 180]
    /// Times between those that people need, and much longer ones, in milliseconds.
    private static let times: [Int64] = [500, 300, 200, 100, 50, 20, 700, 1000, 1500, 2000, 5000, 3_600_000, 1, 0]
    private static let lengths = [5, 10, 20, 40, 100, 2000, 2, 1, 0.5, 0.1, 0]
    private static let speeds = [50, 10, 0, 1000]

    /// Values as written in a configuration.
    var trials: [String] {
        switch self {
        case .flag: ["false", "true"]
        case .count(let range): Self.counts(in: range)
        case .degrees(let range, let isOpen), .ratio(let range, let isOpen):
            Self.numbers.filter { range.contains($0) && !(isOpen && $0 == range.lowerBound) }.map { shortest($0) }
        case .length: Self.lengths.map { "\"\(shortest($0))mm\"" }
        case .speed: Self.speeds.map { "\"\($0)mm/s\"" }
        case .time(let least):
            Self.times.filter { .milliseconds($0) >= least }.map { Self.quoted(Self.text(milliseconds: $0)) }
        case .word(let words): words.map(Self.quoted)
        case .words(let words), .path(let words, _): Self.lists(words).map { "[\($0.joined(separator: ", "))]" }
        case .counts(let range): Self.counts(in: range) + ["\"any\""]
        case .oneOrAny: ["1", "\"any\""]
        // Nobody draws one of a few shapes, and other steps are another pattern.
        case .templates, .steps: []
        case .orOff(let shape): shape.isQuantity ? [Self.off] + shape.trials : shape.trials + [Self.off]
        }
    }

    /// Whether values have a unit, so that no list has all that somebody may want.
    fileprivate var isQuantity: Bool {
        switch self {
        case .length, .speed, .time: true
        case .orOff(let shape): shape.isQuantity
        default: false
        }
    }

    private static func counts(in range: ClosedRange<Int>) -> [String] {
        numbers.compactMap { Int(exactly: $0) }.filter(range.contains).map { "\($0)" }
    }

    /// Each of the words, and several: of eight directions, the first four and the diagonal ones.
    private static func lists(_ words: [String]) -> [[String]] {
        let quoted = words.map(quoted)
        let halves = words.count == 8 ? [Array(quoted.prefix(4)), Array(quoted.suffix(4))] : []
        return quoted.map { [$0] } + halves + [quoted]
    }

    private static func text(milliseconds: Int64) -> String {
        milliseconds < 1000 ? "\(milliseconds)ms" : shortest(Double(milliseconds) / 1000) + "s"
    }

    private static func quoted(_ word: String) -> String { "\"\(word)\"" }
}
