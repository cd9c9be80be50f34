// SPDX-License-Identifier: MIT

/// Numbers as the protocol writes them: fixed point, never an exponent, never `-0.0`, never NaN.
extension JSONWriter {
    package mutating func value(_ number: Int64) {
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(number.magnitude)
    }

    package mutating func value(_ number: Int) { value(Int64(number)) }

    /// Writes `number` rounded to 0.1, always with one decimal: `802.0`, `-4.5`.
    ///
    /// Halves are rounded away from zero. NaN is written as 0.0; what is beyond ±9e14 (so also infinity) is clamped,
    /// which keeps every number exact in a client's double.
    package mutating func value(tenths number: Double) {
        separate()
        let scaled = Self.rounded(number * 10)
        let (whole, tenth) = scaled.magnitude.quotientAndRemainder(dividingBy: 10)
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(whole)
        bytes.append(UInt8(ascii: "."))
        bytes.append(Self.digit(tenth))
    }

    /// Writes `number` as `value(tenths:)` does, without a decimal that is zero: `802`, `-4.5`.
    package mutating func value(shortTenths number: Double) {
        value(tenths: number)
        if bytes.last == UInt8(ascii: "0") { bytes.removeLast(2) }
    }

    /// Writes `number` rounded to 0.0001 with as few decimals as possible, at least one: `0.41`, `0.5`, `1.0`.
    ///
    /// Rounds and clamps as `value(tenths:)` does.
    package mutating func value(tenThousandths number: Double) {
        separate()
        let scaled = Self.rounded(number * 10_000)
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: 10_000)
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(whole)
        bytes.append(UInt8(ascii: "."))
        var (divisor, rest): (UInt64, UInt64) = (1000, fraction)
        repeat {
            bytes.append(Self.digit(rest / divisor))
            rest %= divisor
            divisor /= 10
        } while rest > 0
    }

    private mutating func appendDigits(_ number: UInt64) {
        if number >= 10 { appendDigits(number / 10) }
        bytes.append(Self.digit(number % 10))
    }

    /// - Parameter value: below 10.
    private static func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") + UInt8(value) }

    /// The nearest whole number, halves away from zero, inside ±9e15; 0 for NaN.
    private static func rounded(_ number: Double) -> Int64 {
        guard !number.isNaN else { return 0 }
        let clamped = min(max(number, -9e15), 9e15)
        let whole = Int64(clamped)
        let rest = clamped - Double(whole)
        if rest >= 0.5 { return whole + 1 }
        if rest <= -0.5 { return whole - 1 }
        return whole
    }
}
