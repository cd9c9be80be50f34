// SPDX-License-Identifier: MIT
import Testing

/// Cases from the tests of Flutter, Chromium, Android, Hammer.js and wf-touch.
@Suite("Cases of other toolkits")
struct GestureCaseTests {
    @Test func countOfCases() {
        #expect(GestureCase.all.count == 41)
        #expect(GestureCase.all.count { $0.sure == .certain } == 31)
    }

    /// Plays each case at the scale of Flutter's pixels, and at that of a desktop screen.
    @Test(arguments: GestureCase.all, [CasePlayer.millimetersPerPixel, 25.4 / 96])
    func asTheToolkits(case touched: GestureCase, scale: Double) {
        let mistakes = touched.mistakes(framing: .together, scale: scale)
        let isDeviation = Deviation.holds(for: touched.id)
        #expect(mistakes.isEmpty != isDeviation, "\(mistakes)")
        #expect(!isDeviation || touched.sure != .certain)
    }

    /// Plays each change as a frame of its own, as the toolkits' tests do. The result of certain cases must not depend
    /// on how changes are grouped into frames.
    @Test(arguments: GestureCase.all.filter { $0.sure == .certain })
    func apart(case touched: GestureCase) {
        #expect(touched.mistakes(framing: .apart, scale: CasePlayer.millimetersPerPixel) == [])
    }
}
