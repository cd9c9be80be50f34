// SPDX-License-Identifier: MIT

/// Numbers as the protocol writes them: fixed point, never an exponent, never `-0.0`, never NaN.
extension LineBuffer {
    /// Appends a whole number.
    @inlinable
    package mutating func appendInteger(_ value: Int) { appendInteger(Int64(value)) }

    @inlinable
    package mutating func appendInteger(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude)
    }

    /// Appends `value` rounded to 0.1, always with one decimal: `802.0`, `-4.5`.
    ///
    /// Halves go away from zero. NaN is written as 0.0; what is beyond ±9e14 (so also infinity)
    /// is clamped, which keeps every number exact in a client's double.
    package mutating func appendTenths(_ value: Double) {
        let scaled = Self.rounded(value, scale: 10)
        if scaled < 0 { append(UInt8(ascii: "-")) }
        let (whole, tenth) = scaled.magnitude.quotientAndRemainder(dividingBy: 10)
        appendDigits(whole)
        reserve(2)
        storage[count] = UInt8(ascii: ".")
        storage[count &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tenth)
        count &+= 2
    }

    /// The same without a `.0`: `802`, `-4.5`.
    package mutating func appendShortTenths(_ value: Double) {
        appendTenths(value)
        if storage[count &- 1] == UInt8(ascii: "0") { count &-= 2 }
    }

    /// Appends `value` rounded to 0.0001 in the fewest decimals, at least one: `0.41`, `0.5`, `1.0`.
    ///
    /// Rounds and clamps like `appendTenths(_:)`.
    package mutating func appendTenThousandths(_ value: Double) {
        let scaled = Self.rounded(value, scale: 10_000)
        if scaled < 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: 10_000)
        appendDigits(whole)
        reserve(5)
        let (high, low) = Int(truncatingIfNeeded: fraction).quotientAndRemainder(dividingBy: 100)
        let start = storage + count
        start[0] = UInt8(ascii: ".")
        Self.writePair(high, at: start + 1)
        Self.writePair(low, at: start + 3)
        var length = 5
        while length > 2, start[length &- 1] == UInt8(ascii: "0") { length &-= 1 }
        count &+= length
    }

    /// `value * scale` to the nearest whole number, halves away from zero, inside ±9e15.
    ///
    /// By truncation and remainder: both are exact, and neither needs libm.
    @usableFromInline
    static func rounded(_ value: Double, scale: Double) -> Int64 {
        let scaled = value * scale
        guard scaled > -9e15 else { return scaled.isNaN ? 0 : -9_000_000_000_000_000 }
        guard scaled < 9e15 else { return 9_000_000_000_000_000 }
        let whole = Int64(scaled)
        let rest = scaled - Double(whole)
        if rest >= 0.5 { return whole &+ 1 }
        if rest <= -0.5 { return whole &- 1 }
        return whole
    }

    @usableFromInline
    mutating func appendDigits(_ value: UInt64) {
        // 20 digits: the longest 64-bit number.
        reserve(20)
        let length = Self.digitCount(value)
        var rest = value
        var end = storage + (count &+ length)
        while rest >= 100 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            end -= 2
            Self.writePair(Int(truncatingIfNeeded: pair), at: end)
            rest = quotient
        }
        if rest >= 10 {
            Self.writePair(Int(truncatingIfNeeded: rest), at: end - 2)
        } else {
            end[-1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        }
        count &+= length
    }

    private static func digitCount(_ value: UInt64) -> Int {
        var length = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            length &+= 4
        }
        if rest >= 1000 { return length &+ 3 }
        if rest >= 100 { return length &+ 2 }
        return rest >= 10 ? length &+ 1 : length
    }

    /// Writes `pair` (0...99) as two digits.
    private static func writePair(_ pair: Int, at place: UnsafeMutablePointer<UInt8>) {
        let digits = digitPairs.utf8Start + (pair &* 2)
        place[0] = digits[0]
        place[1] = digits[1]
    }

    private static var digitPairs: StaticString {
        """
        0001020304050607080910111213141516171819\
        2021222324252627282930313233343536373839\
        4041424344454647484950515253545556575859\
        6061626364656667686970717273747576777879\
        8081828384858687888990919293949596979899
        """
    }
}
