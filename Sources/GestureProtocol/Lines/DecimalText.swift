// SPDX-License-Identifier: MIT

/// Numbers as decimal digits, eight at a time.
///
/// Each function writes at a place that has room for `DecimalText.room` bytes, and returns the
/// place behind what it has written. It may write more than that within the room.
package enum DecimalText {
    /// A sign, 20 digits of the longest number, a point, and what is written beyond.
    package static let room = 32

    /// Below this, scaled numbers are written eight digits at once.
    private static let shortLimit = 99_999_999.0

    package static func integer(_ value: Int64, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let place = value < 0 ? sign(at: place) : place
        return whole(value.magnitude, at: place)
    }

    /// `value` to 0.1; see `LineBuffer.appendTenths(_:)`.
    package static func tenths(_ value: Double, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let scaled = value * 10
        guard scaled.magnitude < shortLimit else { return longTenths(scaled, at: place) }
        let rounded = rounded(scaled.magnitude)
        let start = scaled < 0 && rounded > 0 ? sign(at: place) : place
        let digits = digits(of: rounded)
        // The digit before the point stays.
        let zeros = leadingZeros(digits, atMost: 6)
        store((digits | ascii) &>> UInt64(truncatingIfNeeded: zeros &* 8), at: start)
        let point = start + (7 &- zeros)
        point[1] = point[0]
        point[0] = UInt8(ascii: ".")
        return point + 2
    }

    /// `value` to 0.0001 in the fewest decimals; see `LineBuffer.appendTenThousandths(_:)`.
    package static func tenThousandths(_ value: Double, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<
        UInt8
    > {
        let scaled = value * 10_000
        guard scaled.magnitude < shortLimit else { return longTenThousandths(scaled, at: place) }
        let rounded = rounded(scaled.magnitude)
        let start = scaled < 0 && rounded > 0 ? sign(at: place) : place
        let digits = digits(of: rounded)
        let zeros = leadingZeros(digits, atMost: 3)
        let text = digits | ascii
        store(text &>> UInt64(truncatingIfNeeded: zeros &* 8), at: start)
        return fraction(UInt32(truncatingIfNeeded: text >> 32), at: start + (4 &- zeros))
    }

    // MARK: Pieces

    /// Every byte is the character 0.
    private static let ascii: UInt64 = 0x3030_3030_3030_3030

    @inline(__always)
    private static func sign(at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        place[0] = UInt8(ascii: "-")
        return place + 1
    }

    @inline(__always)
    private static func store(_ text: UInt64, at place: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(place).storeBytes(of: text.littleEndian, as: UInt64.self)
    }

    /// To the nearest whole number, halves up. The sum with 2^52 has it in its lowest bits, rounded to
    /// the nearest, and halves to the even one: those that went down are seen by the difference.
    /// - Parameter value: from 0 to `shortLimit`.
    @inline(__always)
    private static func rounded(_ value: Double) -> UInt32 {
        let sum = value + 0x1p52
        let isHalfBelow = value - (sum - 0x1p52) == 0.5
        return UInt32(truncatingIfNeeded: sum.bitPattern) &+ (isHalfBelow ? 1 : 0)
    }

    /// The eight digits of a number below 10^8, one in each byte, the first in the lowest: halves of
    /// four digits, of two, of one are split in all lanes at once. The multiplications with a shift are
    /// divisions by 100 and by 10, exact for four and for two digits.
    @inline(__always)
    private static func digits(of value: UInt32) -> UInt64 {
        let high = value / 10_000
        let fours = UInt64(high) | UInt64(value &- high &* 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- tens &* 10) << 8
    }

    @inline(__always)
    private static func leadingZeros(_ digits: UInt64, atMost limit: Int) -> Int {
        min(digits.trailingZeroBitCount >> 3, limit)
    }

    /// A point and four decimals without the zeros at their end, but for the first.
    @inline(__always)
    private static func fraction(
        _ text: UInt32, at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        place[0] = UInt8(ascii: ".")
        UnsafeMutableRawPointer(place + 1).storeBytes(of: text.littleEndian, as: UInt32.self)
        let zeros = min((text & 0x0F0F_0F0F).leadingZeroBitCount >> 3, 3)
        return place + (5 &- zeros)
    }

    @inline(__always)
    private static func whole(_ value: UInt64, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        guard value >= 100_000_000 else { return upToEight(UInt32(truncatingIfNeeded: value), at: place) }
        let high = value / 100_000_000
        let low = UInt32(truncatingIfNeeded: value &- high &* 100_000_000)
        let end = high < 100_000_000 ? upToEight(UInt32(truncatingIfNeeded: high), at: place) : long(high, at: place)
        store(digits(of: low) | ascii, at: end)
        return end + 8
    }

    /// The first digits of a number of more than 16.
    @inline(never)
    private static func long(_ value: UInt64, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let high = value / 100_000_000
        let end = upToEight(UInt32(truncatingIfNeeded: high), at: place)
        store(digits(of: UInt32(truncatingIfNeeded: value &- high &* 100_000_000)) | ascii, at: end)
        return end + 8
    }

    @inline(__always)
    private static func upToEight(
        _ value: UInt32, at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let digits = digits(of: value)
        let zeros = leadingZeros(digits, atMost: 7)
        store((digits | ascii) &>> UInt64(truncatingIfNeeded: zeros &* 8), at: place)
        return place + (8 &- zeros)
    }
}

/// Numbers that are seldom: beyond any panel, infinite, or none.
extension DecimalText {
    @inline(never)
    private static func longTenths(
        _ scaled: Double, at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let rounded = clamped(scaled)
        let (quotient, tenth) = rounded.magnitude.quotientAndRemainder(dividingBy: 10)
        let point = whole(quotient, at: rounded < 0 ? sign(at: place) : place)
        point[0] = UInt8(ascii: ".")
        point[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tenth)
        return point + 2
    }

    @inline(never)
    private static func longTenThousandths(
        _ scaled: Double, at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let rounded = clamped(scaled)
        let (quotient, rest) = rounded.magnitude.quotientAndRemainder(dividingBy: 10_000)
        let point = whole(quotient, at: rounded < 0 ? sign(at: place) : place)
        let text = (digits(of: UInt32(truncatingIfNeeded: rest)) | ascii) >> 32
        return fraction(UInt32(truncatingIfNeeded: text), at: point)
    }

    /// To the nearest whole number, halves away from zero, inside ±9e15; 0 for what is no number.
    private static func clamped(_ scaled: Double) -> Int64 {
        guard scaled > -9e15 else { return scaled.isNaN ? 0 : -9_000_000_000_000_000 }
        guard scaled < 9e15 else { return 9_000_000_000_000_000 }
        let whole = Int64(scaled)
        let rest = scaled - Double(whole)
        if rest >= 0.5 { return whole &+ 1 }
        if rest <= -0.5 { return whole &- 1 }
        return whole
    }
}
