// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Drawing strokes")
struct StrokeDrawingTests {
    /// The frames of drawings, one a second, with a position every 10 ms. The panel has 1000 units along each side.
    private static func frames(_ drawings: [[(x: Int, y: Int)]]) -> [(Int, String)] {
        var frames: [(Int, String)] = []
        for (number, corners) in drawings.enumerated() {
            var time = (number + 1) * 1_000_000
            for (from, to) in zip(corners, corners.dropFirst()) {
                for step in 0..<10 {
                    let (x, y) = (from.x + (to.x - from.x) * step / 10, from.y + (to.y - from.y) * step / 10)
                    let landing = frames.last.map { $0.0 < (number + 1) * 1_000_000 } ?? true
                    frames.append((time, (landing ? "[3,57,\(number)]," : "") + "[3,53,\(x)],[3,54,\(y)]"))
                    time += 10_000
                }
            }
            let last = corners[corners.count - 1]
            frames.append((time, "[3,53,\(last.x)],[3,54,\(last.y)]"))
            frames.append((time + 10_000, "[3,57,-1]"))
        }
        return frames
    }

    private static let vee = [(x: 300, y: 300), (x: 400, y: 500), (x: 500, y: 300)]

    /// Draws on a panel of 200 x 200 mm.
    private func record(
        _ drawings: [[(x: Int, y: Int)]], _ options: [String] = [], regions: String = ""
    ) throws -> Tool.Outcome {
        let folder = try ScratchFolder()
        let file = try folder.write(MeasureTests.configuration + regions, to: "gestured.toml")
        let daemon = try MeasureTests.daemon(frames: Self.frames(drawings), hangsUp: true)
        return try Tool.run(["record", "--stroke", "vee", "-c", file, "--socket", daemon.path] + options)
    }

    @Test("drawings become a gesture of the configuration, which recognizes them")
    func gesture() throws {
        let outcome = try record([Self.vee, Self.vee.map { (x: $0.x + 20, y: $0.y - 50) }], ["--count", "2"])
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == """
                gesturectl: on "panel": draw the shape 2 times with one finger; to end earlier, press Ctrl-C
                  1/2  40 mm wide, 40 mm high, 210 ms
                  2/2  40 mm wide, 40 mm high, 210 ms

                """)
        let line =
            #"{ type = "stroke", name = "vee", points = [[[0, 0], [50, 100], [100, 0]], [[0, 0], [50, 100], [100, 0]]] }"#
        #expect(outcome.output == line + "\n")
        let text = "version = 1\n[[region]]\nid = \"r\"\nshape = \"full\"\ngestures = [\(line)]\n"
        #expect(ConfigurationReader.read(text).diagnostics.isEmpty)
        let single = try record([Self.vee], ["--count", "1"])
        #expect(single.output == #"{ type = "stroke", name = "vee", points = [[0, 0], [50, 100], [100, 0]] }"# + "\n")
    }

    @Test("it warns of drawings that differ, of lines, and of strokes of the configuration")
    func warnings() throws {
        let line = [(x: 200, y: 300), (x: 600, y: 310)]
        let other = try record([Self.vee, Self.vee, line], ["--count", "3"])
        #expect(other.errors.contains("warning: drawing 3 scores "))
        #expect(other.errors.contains(" with the others, and min_score is 0.7; draw them more alike\n"))
        #expect(other.errors.contains("warning: a straight line scores 1 with this, so swipes"))
        let small = try record([[(x: 300, y: 300), (x: 312, y: 326), (x: 320, y: 310)]], ["--count", "1"])
        #expect(
            small.errors.contains(/warning: drawing 1 is 9\.\d mm long, and min_length is 10 mm; draw it larger\n/),
            "\(small.errors)")
        let region = """
            [[region]]
            id = "pad"
            shape = "full"
            gestures = [
              { type = "stroke", name = "wedge", points = [[0, 0], [1, 1.8], [2, 0]] },
              { type = "stroke", name = "vee", points = [[0, 0], [1, 2], [2, 0]] },
              { type = "stroke", name = "roof", points = [[0, 2], [1, 0], [2, 2]] },
            ]
            """
        let like = try record([Self.vee], ["--count", "1"], regions: region)
        let warnings = like.errors.split(separator: "\n").filter { $0.contains("warning") }
        #expect(
            warnings.count == 1
                && warnings[0].contains("this is like \"wedge\" of region \"pad\" (it scores 0.9"))
        #expect(try record([Self.vee], ["--count", "1"]).errors.contains("warning") == false)
    }

    @Test("taps are no drawings, and it ends with what there is")
    func early() throws {
        let outcome = try record([Self.vee, [(x: 300, y: 300), (x: 301, y: 300)]])
        #expect(outcome.errors.contains("left out: 1 that moved less than 5 mm"))
        #expect(outcome.errors.hasSuffix("gesturectl: the daemon has gone; the drawing ends here\n"))
        #expect(outcome.output.hasPrefix("{ type"))
        let nothing = try record([])
        #expect(nothing.output.isEmpty && nothing.errors.hasSuffix("gesturectl: nothing was drawn\n"))
    }

    /// A parabola that winds, without trigonometry.
    private static let winding = (0...300).map { step in
        let part = Double(step) / 100
        let height = part * (part - 1) * (part - 2) * (part - 3)
        return Point(x: 100 + part * 20, y: 50 + height * 30)
    }

    @Test("a curve has at most 16 points, and they score well with it")
    func simplified() throws {
        let drawing = try #require(StrokeDrawing(Self.winding))
        #expect(drawing.template.points.count <= 16)
        #expect(drawing.template.score(of: drawing.path, rotation: 0) > 0.97)
        #expect(StrokeDrawing([Point(x: 1, y: 1), Point(x: 1, y: 1)]) == nil)
        #expect(StrokeDrawing([]) == nil)
    }

    @Test(
        "wrong options end with the cause and the remedy",
        arguments: [
            (["--count", "3"], "--count is for strokes; pass --stroke"),
            (["--stroke", "v", "--count", "0"], "--count is 0; use a number from 1 to 16"),
            (["--stroke", "v", "--duration", "1s"], "--stroke makes no recording; leave out --duration and --format"),
            (["--stroke", "a b"], "a b"), (["--stroke", "a\"b"], "cannot be the name of a gesture"),
        ])
    func usage(options: [String], message: String) throws {
        let outcome = try Tool.run(["record"] + options)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("as many drawings as a stroke may have fit in the configuration")
    func many() throws {
        let drawing = try #require(StrokeDrawing(Self.winding))
        let line = StrokeDrawing.gesture("coil", [StrokeDrawing](repeating: drawing, count: 16))
        let text = "version = 1\n[[region]]\nid = \"r\"\nshape = \"full\"\ngestures = [\(line)]\n"
        #expect(ConfigurationReader.read(text).diagnostics.isEmpty)
    }
}
