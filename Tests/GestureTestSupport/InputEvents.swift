// SPDX-License-Identifier: MIT
package import Foundation

extension Data {
    /// The data, read as values of `struct input_event` on a 64-bit system. Times are in microseconds.
    package var inputEvents: [(time: Int64, type: UInt16, code: UInt16, value: Int32)] {
        stride(from: 0, to: count - 23, by: 24).map { start in
            func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
                (0..<Number.bitWidth / 8).reduce(0) { number, place in
                    number | Number(truncatingIfNeeded: Int64(self[start + offset + place])) << (place * 8)
                }
            }
            let time = number(0, Int64.self) * 1_000_000 + number(8, Int64.self)
            return (time, number(16, UInt16.self), number(18, UInt16.self), number(20, Int32.self))
        }
    }
}
