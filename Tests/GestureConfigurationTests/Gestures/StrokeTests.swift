// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureConfiguration

/// The keys of strokes.
@Suite("Strokes in the configuration")
struct StrokeTests {
    private func text(_ gesture: String) -> String {
        "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [{ type = \"stroke\"\(gesture) }]\n"
    }

    private func settings(_ gesture: String, before: String = "") throws -> StrokeSettings? {
        let gesture = try layout(before + text(gesture)).first?.gestures.first
        guard case .stroke(let settings)? = gesture?.settings else { return nil }
        return settings
    }

    private static let corner = StrokeTemplate([Point(x: 0, y: 0), Point(x: 10, y: -0.5), Point(x: 10, y: 20)])

    @Test func oneTemplateOrSeveral() throws {
        let one = try settings(", points = [[0, 0], [10, -0.5], [10.0, 20]]")
        #expect(one?.templates == [Self.corner])
        #expect(one?.minScore == 0.7 && one?.rotation == 15 && one?.minLength == 10 && one?.closed == true)
        let two = try settings(", points = [[[0, 0], [10, -0.5], [10, 20]], [[0, 0], [1, 1]]]")
        #expect(two?.templates == [Self.corner, StrokeTemplate([Point(x: 0, y: 0), Point(x: 1, y: 1)])])
        let list = try settings(", points = [[[0, 0], [10, -0.5], [10, 20]]]")
        #expect(list?.templates == [Self.corner])
    }

    @Test func theOtherKeysHaveDefaults() throws {
        let own = try settings(
            ", points = [[0, 0], [1, 0]], rotation = 180, min_length = \"5mm\"",
            before: "[defaults]\nstroke = { min_score = 0.5, rotation = 20, min_length = \"50mm\", closed = false }\n")
        #expect(own?.minScore == 0.5 && own?.rotation == 180 && own?.minLength == 5 && own?.closed == false)
    }

    @Test(
        "mistakes have a place and a remedy",
        arguments: [
            (
                "",
                "t:4:13: error: gesture \"stroke\" of region \"a\" has no points; gesturectl record --stroke makes them"
            ),
            (", points = []", "t:4:41: error: points has 0 points; use 2 to 64"),
            (", points = [[1, 2]]", "t:4:41: error: points has 1 point; use 2 to 64"),
            (", points = [[1, 2], [1, 2]]", "t:4:41: error: points has one point several times; draw a shape"),
            (", points = \"W\"", "t:4:41: error: points must be an array of points such as [0, 1], not a string"),
            (
                ", points = [1, 2]",
                "t:4:42: error: a point of points must be an array of two numbers, x and y, not an integer"
            ),
            (", points = [[1, 2], [3]]", "t:4:50: error: a point of points must be [x, y], not 1 values"),
            (", points = [[1, 2], [3, \"4\"]]", "t:4:54: error: y must be a number, not a string"),
            (", points = [[1, 2], [3, 2e6]]", "t:4:54: error: y is 2000000; it must be -1000000 to 1000000"),
            (", points = [[[1, 2]]]", "t:4:42: error: a template of points has 1 point; use 2 to 64"),
            (
                ", points = [[[0, 0], [1, 2]], [3, 4]]",
                "t:4:61: error: a point of points must be an array of two numbers, x and y, not an integer"
            ),
            (", points = [[0, 0], [1, 1]], min_score = 1.5", "t:4:71: error: min_score is 1.5; it must be 0 to 1"),
            (", points = [[0, 0], [1, 1]], rotation = 181", "t:4:70: error: rotation is 181°; it must be 0° to 180°"),
        ])
    func mistakes(gesture: String, said: String) {
        #expect(headlines(text(gesture)).first == said)
    }

    @Test func tooManyPointsOrTemplates() {
        func list(_ count: Int, _ item: (Int) -> String) -> String { (0..<count).map(item).joined(separator: ", ") }
        let points = list(65) { "[\($0), \($0 % 2)]" }
        #expect(headlines(text(", points = [\(points)]")) == ["t:4:41: error: points has 65 points; use 2 to 64"])
        let templates = list(17) { "[[0, 0], [1, \($0)]]" }
        #expect(
            headlines(text(", points = [\(templates)]")) == ["t:4:41: error: points has 17 templates; use at most 16"])
    }

    @Test func aWordAloneHasNoShape() {
        let lines = headlines("[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\"stroke\"]\n")
        #expect(lines.count == 1 && lines[0].contains("has no points"))
    }
}
