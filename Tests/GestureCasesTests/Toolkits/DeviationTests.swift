// SPDX-License-Identifier: MIT
import Testing

@Suite("Where other toolkits differ")
struct DeviationTests {
    @Test("each deviation belongs to a case that is played")
    func allAreCases() {
        let traces = (VelocityTrace.flutter + VelocityTrace.android).map(\.name)
        let cases = GestureCase.all.map(\.id) + StepCase.flutter.map(\.id) + traces
        #expect(Set(Deviation.reasons.keys).subtracting(cases) == [])
        #expect(Set(FlutterTests.elsewhere.keys).subtracting(cases) == [])
    }
}
