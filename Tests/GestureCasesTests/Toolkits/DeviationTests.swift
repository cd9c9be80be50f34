// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `docs/gestures.md` lists exactly the deviations that these tests allow.
@Suite("Differences from other toolkits")
struct DeviationTests {
    @Test func thePageListsTheSame() throws {
        let page = try String(contentsOfFile: BuildProducts.root + "/docs/gestures.md", encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## Where other toolkits differ\n").dropFirst().first)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        let ids = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(Set(ids) == Deviation.all)
        #expect(ids.count == Deviation.all.count)
        #expect(rows.allSatisfy { $0.split(separator: "|").count == 3 })
    }

    /// Each deviation belongs to a case that is played.
    @Test func allAreCases() {
        let traces = (VelocityTrace.flutter + VelocityTrace.android).map(\.name)
        let cases = GestureCase.all.map(\.id) + StepCase.flutter.map(\.id) + traces
        #expect(Deviation.all.subtracting(cases) == [])
        #expect(Set(FlutterTests.elsewhere.keys).subtracting(cases) == [])
    }
}
