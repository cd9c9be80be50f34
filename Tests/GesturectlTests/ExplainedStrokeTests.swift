// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Explaining strokes")
struct ExplainedStrokeTests {
    private static let configuration =
        panelTable() + """
            [[region]]
            id = "pad"
            shape = "full"
            gestures = [
              { type = "stroke", name = "vee", points = [[0, 0], [1, 2], [2, 0]] },
              { type = "stroke", name = "wide", points = [[0, 0], [2, 3], [4, 0]] },
              { type = "stroke", name = "roof", points = [[0, 2], [1, 0], [2, 2]] },
            ]

            """

    /// Explains a drawing of straight lines, with a report every 10 ms and ten of them for each line.
    /// - Parameter name: the name of a stroke to leave out.
    private func explain(
        _ corners: (x: Int, y: Int)..., options: [String] = [], without name: String? = nil
    ) throws -> String {
        var frames = ""
        var time = 1000
        for (from, to) in zip(corners, corners.dropFirst()) {
            for step in 0..<10 {
                let (x, y) = (from.x + (to.x - from.x) * step / 10, from.y + (to.y - from.y) * step / 10)
                frames += "\(time): " + (time == 1000 ? "39 1, " : "") + "35 \(x), 36 \(y)\n"
                time += 10
            }
        }
        frames += "\(time): 39 -1\n"
        let folder = try ScratchFolder()
        let lines = Self.configuration.split(separator: "\n").filter { line in
            name.map { !line.contains("\"\($0)\"") } ?? true
        }
        let file = try folder.write(lines.joined(separator: "\n"), to: "gestured.toml")
        let outcome = try Tool.run(
            ["explain", "-", "-c", file] + options, input: Data(ExplainTests.frames(frames).utf8))
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.output
    }

    @Test("the score of each stroke is printed, and which one was better")
    func scores() throws {
        let text = try explain((300, 300), (400, 500), (500, 300))
        #expect(text.contains("  +  stroke \"vee\"   score 0.9"), "\(text)")
        #expect(text.contains(/stroke "wide"  scored 0\.8\d; another stroke of the region scored 0\.9\d/), "\(text)")
        // The drawing was another stroke, so it is no template of this one.
        #expect(text.contains(/stroke "roof"  score 0\.\d\d < min_score 0\.70\n/), "\(text)")
        let json = try explain((300, 300), (400, 500), (500, 300), options: ["--json"])
        #expect(json.contains(#""recognized":[{"gesture":"stroke","name":"vee","score":0.9"#), "\(json)")
    }

    @Test("a score that is a little too low, and a path that is a little too short, have a remedy")
    func remedies() throws {
        let low = try explain((300, 300), (400, 360), (510, 295), without: "wide")
        #expect(low.contains(/stroke "vee"   score 0\.6\d < min_score 0\.70  needs min_score = 0\.6\d\n/), "\(low)")
        let other = try explain((300, 300), (400, 330), (500, 300), without: "wide")
        let cure = "draw it for another template: gesturectl record --stroke vee\n"
        #expect(other.contains(/stroke "vee"   score 0\.60 < min_score 0\.70  draw it/), "\(other)")
        #expect(other.contains(cure) && other.contains(/stroke "roof"  score 0\.\d\d < min_score 0\.70\n/), "\(other)")
        let turned = try explain((300, 300), (229, 512), (441, 441), without: "wide")
        #expect(
            turned.contains(/stroke "vee"   score 0\.6\d < min_score 0\.70  needs rotation = 2[234]\n/), "\(turned)")
        let short = try explain((300, 300), (323, 347), (345, 308))
        #expect(short.contains(/stroke "vee"   9(\.\d)? mm < min_length 10 mm  needs min_length = "9/), "\(short)")
        // A straight line should not become one of these shapes.
        let line = try explain((300, 300), (400, 305))
        #expect(line.contains(/min_length 10 mm  see min_length and min_score\n/), "\(line)")
    }
}
