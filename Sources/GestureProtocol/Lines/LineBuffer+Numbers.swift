// SPDX-License-Identifier: MIT

/// Numbers as the protocol writes them: fixed point, never an exponent, never `-0.0`, never NaN.
extension LineBuffer {
    /// Appends a whole number.
    @inlinable
    package mutating func appendInteger(_ value: Int) { appendInteger(Int64(value)) }

    package mutating func appendInteger(_ value: Int64) {
        reserve(DecimalText.room)
        count = DecimalText.integer(value, at: storage + count) - storage
    }

    /// Appends `value` rounded to 0.1, always with one decimal: `802.0`, `-4.5`.
    ///
    /// Halves go away from zero. NaN is written as 0.0; what is beyond ±9e14 (so also infinity)
    /// is clamped, which keeps every number exact in a client's double.
    package mutating func appendTenths(_ value: Double) {
        reserve(DecimalText.room)
        count = DecimalText.tenths(value, at: storage + count) - storage
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
        reserve(DecimalText.room)
        count = DecimalText.tenThousandths(value, at: storage + count) - storage
    }
}
