// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Daemon: one system call fails")
struct FaultTests {
    /// `GESTURED_FAULTS`: `all`, or one such as `read:12:EIO`, which is told about.
    private static let wish = ProcessInfo.processInfo.environment["GESTURED_FAULTS"]
    private static let calls = wish.map { $0 == "all" ? SystemFault.calls : [String($0.prefix { $0 != ":" })] } ?? []

    @Test("every one of them, in every way", .enabled(if: !calls.isEmpty), arguments: calls)
    func matrix(call: String) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        let base = try FaultScenario.play(nil, panel: panel, descriptors: nil)
        #expect(base.findings == [])
        let parts = (Self.wish ?? "").split(separator: ":").map(String.init)
        if parts.count == 3, let number = Int(parts[1]) {
            let fault = SystemFault(call: parts[0], number: number, way: parts[2])
            let outcome = try FaultScenario.play(fault, panel: panel, descriptors: base.descriptors, trace: true)
            print("\(fault): \(outcome)")
            return
        }
        let start = MonotonicSeconds.now
        var runs = 0
        var told: Set<String> = []
        for way in parts.count == 2 ? [parts[1]] : SystemFault.ways(of: call) {
            var number = 1
            while true {
                let fault = SystemFault(call: call, number: number, way: way)
                let outcome = try FaultScenario.play(fault, panel: panel, descriptors: base.descriptors)
                runs += 1
                for finding in outcome.findings {
                    print("FINDING \(fault): \(finding)")
                    Issue.record("\(fault): \(finding)\n\(outcome.log)")
                }
                if let refusal = outcome.refusal, told.insert(refusal.words).inserted {
                    print("REFUSAL \(fault): \(refusal)")
                }
                guard outcome.hasFailed else { break }
                number += 1
            }
        }
        print("faults: \(call): \(runs) runs in \(Int(MonotonicSeconds.now - start)) s")
    }
}
