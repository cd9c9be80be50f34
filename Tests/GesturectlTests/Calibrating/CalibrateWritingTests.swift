// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Files of gesturectl calibrate")
struct CalibrateWritingTests {
    /// A daemon whose configuration has no `[[device]]`.
    private static func unnamed(
        id: String = "event0", prepare: (FakePanel) throws -> Void = { try $0.add() }
    ) throws -> CalibrateTests {
        try CalibrateTests("version = 1\n" + CalibrateTests.region, id: id, pixels: (4096, 4096), prepare: prepare)
    }

    private func files(_ tests: CalibrateTests) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tests.folder("conf.d"))
    }

    private func text(_ tests: CalibrateTests, _ file: String) throws -> String {
        try String(contentsOfFile: tests.folder("conf.d/\(file)"), encoding: .utf8)
    }

    @Test("a panel without a [[device]] is calibrated again")
    func twice() throws {
        let tests = try Self.unnamed()
        for id in 1...2 {
            let tool = try tests.start("--write")
            try tests.touchAll(tool)
            #expect(try tool.waitForExit() == .exited(0))
            #expect(!tool.output.transcript.contains { $0.contains("another calibration") })
            let written = try text(tests, #require(files(tests).first))
            #expect(written.contains(#"match = { name = "Fake Panel", path = "platform-fake-i2c" }"#), "\(written)")
            let check = try Tool.run(
                ["check", "-c", tests.folder("gestured.toml"), "--conf-dir", tests.folder("conf.d")])
            #expect(check.status == 0, "\(check.errors)")
            #expect(try tests.client.request(#"{"cmd":"reload","id":\#(id)}"#).flag("ok") == true)
        }
        #expect(try files(tests).count == 1)
        #expect(try tests.run("--reset").status == 0)
        #expect(try files(tests).isEmpty)
    }

    @Test("nothing is written if the configuration would have errors")
    func errors() throws {
        let tests = try CalibrateTests()
        let rules = tests.folder("panel.rules")
        let tool = try tests.start("--write", "--udev", rules)
        for number in 1...4 { try tests.touch(tests.target(of: tool, "touch target \(number) of 5")) }
        let last = try tests.target(of: tool, "touch target 5 of 5")
        try tests.folder.write("region = 1\n", to: "conf.d/60-broken.toml")
        try tests.touch(last)
        #expect(try tool.waitForExit() == .exited(78))
        let said = tool.output.transcript.joined(separator: "\n")
        #expect(said.contains("60-broken.toml:1:"), "\(said)")
        #expect(said.contains("90-calibration-panel.toml; nothing was written"), "\(said)")
        #expect(try files(tests) == ["60-broken.toml"])
        #expect(!FileManager.default.fileExists(atPath: rules))
    }
}
