// SPDX-License-Identifier: MIT

/// Random numbers that depend only on the seed and are the same on every machine (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(_ seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 to `count - 1`; 0 if `count` is less than 1.
    package mutating func below(_ count: Int) -> Int {
        guard count > 1 else { return 0 }
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// `true` with this probability in percent.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// A number from 0 up to, but not including, 1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number from `low` up to, but not including, `high`.
    package mutating func number(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    /// A number of a range, its upper end not included.
    package mutating func number(in range: ClosedRange<Double>) -> Double { number(range.lowerBound, range.upperBound) }
}
