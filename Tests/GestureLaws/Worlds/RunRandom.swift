// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// Random choices that are reproducible from a seed.
package struct RunRandom: RandomNumberGenerator, ChoiceSource, Sendable {
    private var generator: SeededRandom
    /// Whether lengths are rounded to quarters of a millimetre and times to milliseconds, so that they meet limits
    /// exactly.
    package var isCoarse = false

    package init(_ seed: UInt64) {
        generator = SeededRandom(seed)
    }

    package mutating func next() -> UInt64 { generator.next() }

    package mutating func seed() -> UInt64 { generator.next() }

    /// A number from 0 to `count - 1`; 0 if `count` is less than 2.
    package mutating func below(_ count: Int) -> Int {
        guard count > 1 else { return 0 }
        return Int(truncatingIfNeeded: generator.next().multipliedFullWidth(by: UInt64(count)).high)
    }

    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    package mutating func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

    package mutating func number(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    /// A length in millimetres, never less than `low`.
    package mutating func length(_ low: Double, _ high: Double) -> Double {
        let value = number(low, high)
        return isCoarse ? max(low, (value * 4).rounded() / 4) : value
    }

    /// A time in microseconds.
    package mutating func time(_ low: Int64, _ high: Int64) -> Int64 {
        let value = low + Int64(below(Int(high - low + 1)))
        return isCoarse ? max(low, value / 1000 * 1000) : value
    }
}
