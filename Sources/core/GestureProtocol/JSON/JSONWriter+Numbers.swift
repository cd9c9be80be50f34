// SPDX-License-Identifier: MIT

/// Writes numbers in the format of the protocol: in fixed point, and never as `-0.0`, NaN or with an exponent.
extension JSONWriter {
    /// Writes an integer.
    public mutating func value(_ number: Int64) {
        append(number, decimals: 0)
    }

    /// Writes an integer.
    public mutating func value(_ number: Int) { value(Int64(number)) }

    /// Writes `number` rounded to 0.1, always with one decimal: `802.0`, `-4.5`.
    ///
    /// Halves are rounded away from zero. NaN is written as 0.0. Numbers beyond ±9e14, including infinity, are
    /// clamped, which keeps every number exact in a client's double.
    public mutating func value(tenths number: Double) {
        append(Self.rounded(number * 10), decimals: 1)
    }

    /// Writes `number` like `value(tenths:)`, but omits a decimal that is zero: `802`, `-4.5`.
    package mutating func value(shortTenths number: Double) {
        value(tenths: number)
        if storage[count - 1] == UInt8(ascii: "0") { count -= 2 }
    }

    /// Writes `number` rounded to 0.0001 with as few decimals as possible, but at least one: `0.41`, `0.5`, `1.0`.
    ///
    /// Rounds and clamps like `value(tenths:)`.
    public mutating func value(tenThousandths number: Double) {
        append(Self.rounded(number * 10_000), decimals: 4)
        let shortest = count - 3
        while count > shortest, storage[count - 1] == UInt8(ascii: "0") { count -= 1 }
    }

    /// Writes `scaled` / 10^`decimals` with all decimals.
    @inline(__always)
    private mutating func append(_ scaled: Int64, decimals: Int) {
        // Room for a sign, 19 digits and a point.
        separate(21)
        // These are local copies, because members of `self` would be loaded again for each byte.
        let text = storage
        var rest = scaled.magnitude
        var place = count
        if scaled < 0 {
            text[place] = UInt8(ascii: "-")
            place &+= 1
        }
        place &+= Self.length(of: rest, decimals: decimals)
        count = place
        for _ in 0..<decimals {
            place &-= 1
            text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        if decimals > 0 {
            place &-= 1
            text[place] = UInt8(ascii: ".")
        }
        repeat {
            place &-= 1
            let next = rest / 10
            text[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
            rest = next
        } while rest > 0
    }

    /// The length of a number in characters, including the point and at least one digit before it.
    /// - Parameter number: at most 2^63, which cannot overflow.
    private static func length(of number: UInt64, decimals: Int) -> Int {
        var digits = 1
        var limit: UInt64 = 10
        while number >= limit {
            digits &+= 1
            limit &*= 10
        }
        return decimals > 0 ? max(digits, decimals + 1) + 1 : digits
    }

    /// The nearest integer, with halves rounded away from zero, clamped to ±9e15; 0 for NaN.
    @inline(__always)
    private static func rounded(_ number: Double) -> Int64 {
        guard number.magnitude < 9e15 else {
            return number.isNaN ? 0 : number < 0 ? -9_000_000_000_000_000 : 9_000_000_000_000_000
        }
        let whole = Int64(number)
        let rest = number - Double(whole)
        if rest >= 0.5 { return whole + 1 }
        if rest <= -0.5 { return whole - 1 }
        return whole
    }
}
