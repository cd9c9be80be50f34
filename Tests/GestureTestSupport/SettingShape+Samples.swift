// SPDX-License-Identifier: MIT
package import GestureEngine

extension SettingShape {
    /// Values of this shape, among them the ends of its range.
    package var samples: [SettingValue] {
        switch self {
        case .flag, .oneOrAny: [.flag(false), .flag(true)]
        case .count(let range): [range.lowerBound, 2, range.upperBound].map { .count($0) }
        case .degrees(let range, let isOpen), .ratio(let range, let isOpen):
            [isOpen ? range.upperBound / 8 : range.lowerBound, range.upperBound / 4, range.upperBound]
                .map { .number($0) }
        case .length, .speed: [0, 2.5, 60].map { .number($0) }
        case .time(let least): [least, .milliseconds(250), .milliseconds(3_600_000)].map { .time($0) }
        case .word(let words): words.map { .words([$0]) }
        case .words(let words): [.words(words), .words(words.reversed())] + words.map { .words([$0]) }
        case .path(let words, let most):
            [words.suffix(1), (0..<most).map { words[$0 % 2] }].map { .words(Array($0)) }
        case .counts(let range):
            [range.lowerBound...range.lowerBound, 2...3, range].map { .counts($0) }
        case .templates:
            [
                .templates([StrokeTemplate([.zero, Point(x: 1, y: 2)])]),
                .templates([[1, 2], [3, 4.5]].map { StrokeTemplate([.zero, Point(x: $0[0], y: $0[1])]) }),
            ]
        case .steps: [.steps([.init(gesture: "tap", region: "a"), .init(gesture: "g", region: "a")])]
        case .orOff(let shape): [.off] + shape.samples
        }
    }
}
