// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// The members that only `failed` lines have: code, key, numbers, and a sentence.
package struct FailureReport {
    package let code: String
    /// The key that would have changed the outcome; `nil` if none would.
    package let key: String?
    /// `nil` for a failure without numbers.
    package let numbers: FailureNumbers?
    package let message: String

    /// - Parameters:
    ///   - kind: the kind of the gesture that failed.
    ///   - directions: the directions of a swipe, or the path of a chain.
    package init(_ failure: GestureFailure, of kind: GestureKind, directions: [SwipeDirection]) {
        key = FailureKey(failure, of: kind)?.word
        let wording = FailureWording(failure.code, of: kind, key: key)
        code = wording.name
        numbers = wording.unit.map { FailureNumbers(failure, $0) }
        message = wording.sentence(failure, directions: directions)
    }

    /// Writes `"code":"too_slow","key":"max_time","value":612,"limit":500,"unit":"ms",` and
    /// `"message":"took 612 ms, max_time is 500 ms"`.
    package func write(to json: inout JSONWriter) {
        json.member("code", code)
        if let key { json.member("key", key) }
        if let numbers {
            json.key("value")
            numbers.write(numbers.value, to: &json)
            json.key("limit")
            numbers.write(numbers.limit, to: &json)
            json.member("unit", numbers.unit.name)
        }
        json.member("message", message)
    }
}

/// The measured value and its limit, rounded for output.
///
/// Rounding never makes a value equal to the limit that it violates. The value is moved by one unit of the last decimal
/// instead: with a limit of 3 mm, 3.02 mm is written as 3.1.
package struct FailureNumbers: Hashable, Sendable {
    package let unit: FailureUnit
    package let value: Double
    package let limit: Double

    init(_ failure: GestureFailure, _ unit: FailureUnit) {
        self.unit = unit
        let scale = unit.scale
        let rule: FloatingPointRoundingRule = unit.decimals == 0 ? .down : .toNearestOrAwayFromZero
        var rounded = (failure.value * scale).rounded(rule)
        let limit = (failure.limit * scale).rounded(rule)
        if rounded == limit, failure.value != failure.limit { rounded += failure.value > failure.limit ? 1 : -1 }
        // Adding 0 turns -0 into 0.
        value = rounded / scale + 0
        self.limit = limit / scale + 0
    }

    /// Writes the value or the limit as a JSON number.
    func write(_ number: Double, to json: inout JSONWriter) {
        switch unit.decimals {
        case 0: json.value(shortTenths: number)
        case 1: json.value(tenths: number)
        default: json.value(tenThousandths: number)
        }
    }

    /// The value or the limit with its unit for a sentence: `612 ms`, `3 mm`.
    func text(_ number: Double) -> String {
        var json = JSONWriter()
        if unit.decimals > 1 { json.value(tenThousandths: number) } else { json.value(shortTenths: number) }
        return json.text + unit.suffix
    }
}

/// The unit of `value` and `limit` in a `failed` line.
package enum FailureUnit: Hashable, Sendable, CaseIterable {
    case milliseconds, millimeters, millimetersPerSecond, degrees, contacts, taps, steps, score

    /// The name on the wire.
    package var name: String {
        switch self {
        case .milliseconds: "ms"
        case .millimeters: "mm"
        case .millimetersPerSecond: "mm/s"
        case .degrees: "deg"
        case .contacts: "contacts"
        case .taps: "taps"
        case .steps: "steps"
        case .score: "score"
        }
    }

    /// The text after a number in a sentence.
    var suffix: String {
        switch self {
        case .contacts, .taps, .steps, .score: ""
        case .milliseconds, .millimeters, .millimetersPerSecond, .degrees: " " + name
        }
    }

    /// The unit with a name on the wire.
    package init?(name: String) {
        guard let unit = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = unit
    }

    /// The number of decimals. Times are rounded down, as everywhere on the wire.
    package var decimals: Int {
        switch self {
        case .milliseconds, .contacts, .taps, .steps: 0
        case .millimeters, .millimetersPerSecond, .degrees: 1
        case .score: 2
        }
    }

    /// The number of steps into which 1 is divided by rounding.
    package var scale: Double { [1, 10, 100][decimals] }
}
