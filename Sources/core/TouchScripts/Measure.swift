// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

/// A number and the unit that follows it.
struct Measure {
    /// Larger numbers are mistakes.
    private static let largest = 1e6

    let number: Double
    let unit: Substring

    /// - Returns: `nil` if the text does not begin with a number.
    init?(_ text: Substring) {
        let digits = text.prefix { $0.isNumber || "+-.".contains($0) }
        guard let number = Double(digits), number.isFinite, abs(number) <= Self.largest else { return nil }
        (self.number, unit) = (number, text.dropFirst(digits.count))
    }

    var time: Interval? {
        guard let unit = TimeUnit(rawValue: String(unit)) else { return nil }
        let microseconds = (number * unit.microseconds).rounded()
        return microseconds.magnitude <= 3.6e9 ? Interval(microseconds: Int64(microseconds)) : nil
    }

    var coordinate: TouchScript.Coordinate? {
        guard !unit.isEmpty else { return TouchScript.Coordinate(number: number) }
        return Length.Unit(rawValue: String(unit)).map { TouchScript.Coordinate(number: number, unit: $0) }
    }
}
