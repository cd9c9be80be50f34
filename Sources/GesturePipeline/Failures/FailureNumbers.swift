// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// What was measured and what it is held against, rounded as they are written.
///
/// A value that is beyond its limit never reads the same: it is moved by the last decimal then
/// (3.02 mm beside a limit of 3 mm is written as 3.1).
struct FailureNumbers: Hashable, Sendable {
    private let unit: FailureUnit
    private let value: Double
    private let limit: Double

    init(_ failure: GestureFailure, _ unit: FailureUnit) {
        self.unit = unit
        let scale = unit.isWhole ? 1.0 : 10.0
        let rule: FloatingPointRoundingRule = unit.isWhole ? .down : .toNearestOrAwayFromZero
        var rounded = (failure.value * scale).rounded(rule)
        let limit = (failure.limit * scale).rounded(rule)
        if rounded == limit, failure.value != failure.limit { rounded += failure.value > failure.limit ? 1 : -1 }
        value = rounded / scale
        self.limit = limit / scale
    }

    /// `,"value":612,"limit":500,"unit":"ms"`
    func appendKeys(to body: inout LineBuffer) {
        body.appendKey("value")
        append(value, to: &body)
        body.appendKey("limit")
        append(limit, to: &body)
        body.append(",\"unit\":\"")
        body.append(unit.word)
        body.append("\"")
    }

    /// The value within a sentence, with its unit: `612 ms`, `3 mm`.
    func appendValue(to body: inout LineBuffer) {
        body.appendShortTenths(value)
        body.append(unit.suffix)
    }

    /// The limit likewise.
    func appendLimit(to body: inout LineBuffer) {
        body.appendShortTenths(limit)
        body.append(unit.suffix)
    }

    private func append(_ number: Double, to body: inout LineBuffer) {
        if unit.isWhole { body.appendShortTenths(number) } else { body.appendTenths(number) }
    }
}
