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

    @Test("options that cannot be combined, and standard output as a file")
    func options() throws {
        func refusal(_ arguments: String...) throws -> String {
            let outcome = try Tool.run(["calibrate"] + arguments)
            #expect(outcome.status == 64)
            return outcome.errors.replacing("\n", with: " ")
        }
        for option in [["--targets", "5"], ["--tty"]] {
            #expect(
                try refusal("--reset", option[0], option.last ?? "")
                    .contains("--reset shows no targets; leave out --targets and --tty"))
        }
        for option in ["--screens", "--last"] {
            #expect(try refusal(option, "--write", "--targets", "5").contains("\(option) shows no targets"))
        }
        #expect(try refusal("--last").contains("pass it with --write or --udev"))
        #expect(try refusal("--screens", "--udev", "/a.rules").contains("leave out the file, or name a panel"))
        for option in ["--write", "--udev"] {
            #expect(
                try refusal(option, "-").contains(
                    "\(option) cannot be \"-\", because the result is printed anyway; pass a file"))
        }
    }

    @Test("a console that is too small")
    func small() throws {
        let terminal = try PseudoTerminal()
        var size = winsize(ws_row: 5, ws_col: 20, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal.reader.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0)
        let outcome = try CalibrateTests().run("--tty", terminal.path)
        #expect(outcome.status == 73)
        #expect(
            outcome.errors == """
                gesturectl: the console has 20 columns and 5 rows, but the targets need 40 and 15; use a smaller font, or the \
                page /calibrate

                """)
    }

    @Test("a panel that needs no calibration gets none")
    func needless() throws {
        let tests = try CalibrateTests()
        let tool = try tests.start("--write")
        try tests.touchAll(tool, on: SyntheticPanel())
        #expect(try tool.waitForExit() == .exited(0))
        #expect(
            tool.output.transcript.last == "gesturectl: the panel needs no calibration; nothing was written",
            "\(tool.output.transcript)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tests.folder("conf.d")).isEmpty)
    }

    @Test("targets that the panel cannot reach are counted in the errors")
    func unreachable() throws {
        // The axis ends 10 mm before the first target.
        let short = SyntheticPanel(toAxes: AffineMatrix(1, 0.2, -0.15, 0, 1, 0)) { point in
            Point(x: max(point.x, 0.15 - 0.2 * point.y), y: point.y)
        }
        let tests = try CalibrateTests()
        let tool = try tests.start()
        try tests.touchAll(tool, on: short)
        #expect(try tool.waitForExit() == .exited(0))
        let printed = tool.output.transcript.joined(separator: "\n")
        #expect(printed.contains("\nfitted to:    4 of 5 targets\n"), "\(printed)")
        #expect(printed.contains(/error after:  2\.[01] mm on average, 10\.[0-9] mm at most/), "\(printed)")
    }

    @Test("errors that are noise, and errors that are worse")
    func errors() {
        #expect(CalibrationErrors(before: [0, 0.1, 0], after: [0, 0, 0]).areNoise)
        #expect(CalibrationErrors(before: [0.4, 0.5, 0.3, 0.4], after: [0.2, 0.2, 0.2, 0.2]).areNoise)
        #expect(!CalibrationErrors(before: [0.4, 0.5, 0.3, 0.4], after: [0, 0, 0.1, 0]).areNoise)
        #expect(!CalibrationErrors(before: [1, 1, 1], after: [0.9, 0.9, 0.9]).areNoise)
        #expect(CalibrationErrors(before: [0, 0, 1], after: [1, 1, 3]).areWorse)
        #expect(!CalibrationErrors(before: [0, 0, 3], after: [1, 1, 2]).areWorse)
        #expect(!CalibrationErrors(before: [1, 1, 1], after: [1.05, 1, 1]).areWorse)
    }
}
