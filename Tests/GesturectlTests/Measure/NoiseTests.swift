// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport
import Glibc
import Testing

@testable import gesturectl

@Suite("gesturectl measure noise")
struct NoiseTests {
    private func areas(_ points: [(Double, Double)], masks: Int = 0) -> [Rectangle] {
        var map = NoiseMap(Rectangle(minX: 0, minY: 0, maxX: 344, maxY: 194))
        for (index, point) in points.enumerated() {
            let change = ContactChange(
                id: ContactID(Int64(index)), kind: .landed, position: Point(x: point.0, y: point.1))
            map.take(TouchFrame(time: Timestamp(microseconds: Int64(index)), changes: [change]))
        }
        let mask = Rectangle(minX: 0, minY: 0, maxX: 1, maxY: 1)
        return map.areas(beside: Array(repeating: mask, count: masks))
    }

    private func often(_ points: [(Double, Double)]) -> [(Double, Double)] { points + points + points }

    private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rectangle {
        Rectangle(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    @Test("cells in which contacts land again and again make areas, and a single brush makes none")
    func cells() {
        #expect(areas([(12, 12), (13, 13), (100, 100)]) == [])
        #expect(areas(often([(12, 12)])) == [rectangle(10, 10, 5, 5)])
        let block = [(12.0, 12.0), (17, 12), (12, 17), (17, 17), (33, 17)]
        #expect(areas(often(block)) == [rectangle(10, 10, 10, 10), rectangle(30, 15, 5, 5)])
        // The last cells are cut off at the edge of the panel.
        #expect(areas(often([(343.9, 193.9)])) == [rectangle(340, 190, 4, 4)])
    }

    @Test("a long crack makes no more masks than the configuration accepts, and they cover it")
    func crack() {
        let crack = (0..<190).map { (Double($0) * 1.8, Double($0)) }
        for masks in [0, 40, 63] {
            let areas = areas(often(crack), masks: masks)
            #expect(areas.count + masks <= 64)
            #expect(crack.allSatisfy { x, y in areas.contains { $0.contains(Point(x: x, y: y)) } })
        }
    }

    @Test("a recording of a panel that nobody touched")
    func recording() throws {
        let folder = try ScratchFolder()
        let config = MeasureTests.configuration.replacing(
            "[[region]]", with: "filter = { mask = [[0, 0, 10, 20]] }\n[[region]]")
        let file = try folder.write(config, to: "gestured.toml")
        func run(_ count: Int, _ more: String...) throws -> Tool.Outcome {
            let taps = MeasureTests.taps((0..<count).map { _ in (duration: 10, tenths: 0) })
            return try Tool.run(
                ["measure", "noise", "--recording", "-", "--config", file] + more,
                input: Data((ReplayTests.header + taps).utf8))
        }
        let outcome = try run(5)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                # noise: 5 contacts on "panel", while nobody touched it; 1 noisy area, 0.3 % of the panel
                [[device]]
                id = "panel"
                filter = { mask = [["0.0mm", "0.0mm", "10.0mm", "20.0mm"], ["50.0mm", "50.0mm", "5.0mm", "5.0mm"]] }

                """)
        let check = try Tool.run(["check", file, try folder.write(outcome.output, to: "noise.toml")])
        #expect(check.status == 0, "\(check.errors)")
        #expect(
            try run(2).output
                == "# noise: 2 contacts on \"panel\", while nobody touched it, not often enough at one place for a mask\n"
        )
        let json = try run(5, "--json").output
        #expect(
            json.contains(#""contacts":5,"areas":[{"x_mm":50.0,"y_mm":50.0,"width_mm":5.0,"height_mm":5.0}]"#),
            "\(json)")
    }

    @Test("--write hides the noise of a panel after a reload, and a later measurement keeps that mask")
    func write() throws {
        let tests = try CalibrateTests()
        _ = try tests.client.request(#"{"cmd":"subscribe","id":1,"events":["gesture"]}"#)
        for (round, point) in [Point(x: 0.2, y: 0.2), Point(x: 0.7, y: 0.6)].enumerated() {
            let tool = try ChildProcess([
                "/bin/sh", "-c", "exec \"$0\" measure noise --write \"$@\" 2>&1", BuildProducts.program("gesturectl"),
                "--socket", tests.daemon.socketPath, "-c", tests.folder("gestured.toml"), "--conf-dir",
                tests.folder("conf.d"), "--duration", "10min",
            ])
            _ = try tool.output.wait(for: "the start") { $0.contains("do not touch the panel for 600 s") }
            for _ in 0..<4 {
                try tests.touch(point, on: SyntheticPanel(toAxes: .identity))
                _ = try tests.client.wait(for: "gesture press end ok")
            }
            tool.signal(SIGINT)
            #expect(try tool.waitForExit() == .exited(0))
            let printed = tool.output.transcript.joined(separator: "\n")
            #expect(printed.contains("90-mask-panel.toml; to apply this, run: gesturectl reload"), "\(printed)")
            #expect(try tests.client.request(#"{"cmd":"reload","id":\#(round + 2)}"#).flag("ok") == true)
        }
        let written = try String(contentsOfFile: tests.folder("conf.d/90-mask-panel.toml"), encoding: .utf8)
        #expect(
            written.hasPrefix("# Written by gesturectl measure noise; to undo it, remove this file.\nversion = 1\n"))
        #expect(written.split(separator: "[\"").count == 3, "\(written)")
        for point in [Point(x: 0.2, y: 0.2), Point(x: 0.7, y: 0.6), Point(x: 0.5, y: 0.5)] {
            try tests.touch(point, on: SyntheticPanel(toAxes: .identity))
        }
        // Only the touch beside the masks is a press.
        let press = try tests.client.wait(for: "gesture press end ok")
        #expect(abs((press.number("u") ?? 0) - 0.5) < 0.01, "\(press)")
    }

    @Test(
        "options that are for other measurements",
        arguments: [
            ["noise", "--count", "3"], ["tap", "--write"], ["hold", "--duration", "3s"], ["noise", "--double"],
            ["noise", "--write", "-"], ["noise", "--write", "--recording", "a"],
        ])
    func options(arguments: [String]) throws { #expect(try Tool.run(["measure"] + arguments).status == 64) }
}
