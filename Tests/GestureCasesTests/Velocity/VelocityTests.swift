// SPDX-License-Identifier: MIT
import GestureEngine
import Testing

/// Compares this engine's estimator with others on the traces of their tests. Flutter's least squares and Android's
/// LSQ2 agree with it; Android's default, IMPULSE, differs.
@Suite("Velocities of other toolkits")
struct VelocityTests {
    /// The maximum velocity in this engine and in Flutter, in pixels per second.
    private static let fastest = 8000.0

    @Test func countsOfTraces() {
        #expect(VelocityTrace.flutter.count == 14)
        #expect(VelocityTrace.android.count == 18)
    }

    /// A trace must agree within 0.001 %, unless it is listed in `Deviation`: a drag that ends with the mean of the
    /// last 100 ms has another velocity. The remaining difference is the rounding of the numbers in the traces.
    @Test("of Flutter, within 0.001 %", arguments: VelocityTrace.flutter)
    func flutter(trace: VelocityTrace) throws {
        let velocity = try #require(trace.lifts().values.first)
        let numbers = trace.expected.compactMap { Double($0) }
        try #require(numbers.count == 2)
        let wanted = Vector(dx: numbers[0], dy: numbers[1])
        let isSame = (velocity - wanted).length <= wanted.length / 100_000
        #expect(isSame == !Deviation.holds(for: trace.name), "\(velocity), not \(wanted)")
    }

    /// LSQ2 must agree within 1 %, and IMPULSE within 20 %, as in Android's own tests.
    @Test("of Android", arguments: VelocityTrace.android)
    func android(trace: VelocityTrace) throws {
        let lifts = trace.lifts()
        var mistakes: [String] = []
        for term in trace.expected {
            let expectation = try #require(VelocityTrace.Expectation(term))
            let velocity = lifts[expectation.finger] ?? .zero
            let wanted = expectation.velocity
            let isBoth = expectation.axis == "both"
            // On a diagonal, the limit applies to the length of the vector.
            let limited = min(wanted, isBoth ? Self.fastest / 2.0.squareRoot() : Self.fastest)
            let tolerance = max(0.001, limited.magnitude * (expectation.estimator == "lsq2" ? 0.01 : 0.2))
            for (axis, value) in [("x", velocity.dx), ("y", velocity.dy)]
            where isBoth || axis == expectation.axis {
                guard (value - limited).magnitude > tolerance else { continue }
                mistakes.append("\(axis): \(value), not \(limited) of \(expectation.estimator)")
            }
        }
        #expect(mistakes.isEmpty == !Deviation.holds(for: trace.name), "\(mistakes)")
    }
}
