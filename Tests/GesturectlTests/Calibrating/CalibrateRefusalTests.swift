// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport
import Glibc
import Testing

@testable import gesturectl

@Suite("Refusals of gesturectl calibrate")
struct CalibrateRefusalTests {
    @Test("a second one at the same time")
    func second() throws {
        let tests = try CalibrateTests()
        let tool = try tests.start()
        _ = try tests.target(of: tool, "touch target 1 of 5")
        let second = try tests.run()
        #expect(second.status == 75)
        #expect(second.errors == "gesturectl: another gesturectl calibrate is running; end it first\n")
    }

    @Test("a region with the id of those for the targets")
    func region() throws {
        let region = CalibrateTests.region.replacing("\"ok\"", with: "\"calibration\"")
        let outcome = try CalibrateTests(CalibrateTests.device + region).run()
        #expect(outcome.status == 78)
        #expect(
            outcome.errors.replacing("\n", with: " ").contains(
                "there is a region \"calibration\", an id that gesturectl calibrate needs; rename that region"))
    }

    @Test("both missing rights are reported at once", arguments: [[], ["define"], ["raw"], ["control"]])
    func rights(given: [String]) throws {
        let hello = "\(FakeDaemon.hello.dropLast()),\"rights\":\(given)}"
        let daemon = try FakeDaemon(greeting: [hello, FakeDaemon.state]) { _ in
            .init(#"{"reply":"status","id":1,"ok":true,"config":{"files":["/a.toml"]}}"#)
        }
        let outcome = try Tool.run(["calibrate", "--socket", daemon.path])
        let lists = ["control", "raw"].filter { !given.contains($0) }.map { "\($0)_uids" }.joined(separator: " and ")
        #expect(outcome.status == 77)
        #expect(
            outcome.errors.contains("\" to \(lists) in [access] of /a.toml"),
            "\(outcome.errors)")
    }

    @Test("an output that changes meanwhile ends it at once")
    func rotated() throws {
        let tests = try CalibrateTests()
        let tool = try tests.start()
        _ = try tests.target(of: tool, "touch target 1 of 5")
        let request = #"{"cmd":"set_output","id":2,"device":"panel","rotation":180}"#
        #expect(try tests.client.request(request).flag("ok") == true)
        #expect(try tool.waitForExit() == .exited(75))
        #expect(
            tool.output.transcript.last?.contains("the output of the panel has changed meanwhile; calibrate it again")
                == true)
    }
}
