// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Shapes")
struct ShapeTests {
    private func region(_ shape: String) throws -> Region {
        try #require(try layout("[[region]]\nid = \"a\"\nshape = \(shape)").first)
    }

    @Test(
        "are rectangles",
        arguments: [
            ("\"full\"", Rectangle(minX: 0, minY: 0, maxX: 480, maxY: 270)),
            ("{ rect = [4, 8, 40, 80] }", Rectangle(minX: 1, minY: 2, maxX: 11, maxY: 22)),
            ("{ rect = [\"25%\", \"50%\", \"25%\", \"50%\"] }", Rectangle(minX: 120, minY: 135, maxX: 240, maxY: 270)),
            ("{ edge = \"left\", width = \"5mm\" }", Rectangle(minX: 0, minY: 0, maxX: 5, maxY: 270)),
            (
                "{ edge = \"right\", width = \"5mm\", from = \"50%\" }",
                Rectangle(minX: 475, minY: 135, maxX: 480, maxY: 270)
            ),
            ("{ edge = \"top\", width = \"10%\", to = \"50%\" }", Rectangle(minX: 0, minY: 0, maxX: 240, maxY: 27)),
            (
                "{ edge = \"bottom\", width = 40, from = 40, to = 80 }",
                Rectangle(minX: 10, minY: 260, maxX: 20, maxY: 270)
            ),
        ])
    func rectangle(shape: String, expected: Rectangle) throws {
        let found = try region(shape)
        #expect(found.shape == .rectangle(expected))
        #expect(found.bounds == expected)
        #expect(found.clip == PanelSize.fullHD.bounds)
    }

    @Test func circleAndPolygon() throws {
        let circle = try region("{ circle = { center = [\"100%\", 0], radius = \"14mm\" } }")
        #expect(circle.shape == .circle(center: Point(x: 480, y: 0), radius: 14))
        #expect(circle.bounds == Rectangle(minX: 466, minY: -14, maxX: 494, maxY: 14))
        let polygon = try region("{ polygon = [[0, 0], [\"50%\", 0], [4, \"25mm\"]] }")
        #expect(polygon.shape == .polygon([Point(x: 0, y: 0), Point(x: 240, y: 0), Point(x: 1, y: 25)]))
        #expect(polygon.bounds == Rectangle(minX: 0, minY: 0, maxX: 240, maxY: 25))
    }

    @Test(
        "that are refused",
        arguments: [
            ("{}", "must have exactly one of rect, circle, polygon, edge"),
            ("{ rect = [0, 0, 1, 1], edge = \"left\" }", "must have exactly one of"),
            ("{ rect = [0, 0, 1] }", "rect must be [x, y, width, height], not 3 values"),
            ("{ rect = [0, 0, 1, 1], width = 3 }", "width belongs to an edge, not to a rect"),
            ("{ rect = [0, 0, \"0%\", 1] }", "width is 0%; it must be more than 0"),
            ("{ rct = [0, 0, 1, 1] }", "unknown key \"rct\" in shape of region \"a\"; did you mean \"rect\"?"),
            ("{ circle = { center = [0, 0] } }", "circle of region \"a\" has no radius"),
            ("{ circle = { center = [0], radius = 1 } }", "center must be [x, y], not 1 values"),
            ("{ circle = { center = [0, 0], radius = -1 } }", "radius is -1px; it must be more than 0"),
            ("{ polygon = [[0, 0], [1, 1]] }", "polygon has 2 corners; use 3 to 256"),
            ("{ polygon = [[0, 0], [1, 1], 3] }", "a corner must be an array of two lengths, not an integer"),
            ("{ edge = \"lft\", width = 3 }", "did you mean \"left\"?"),
            ("{ edge = \"left\" }", "shape of region \"a\" has no width"),
            ("[0, 0, 1, 1]", "shape of region \"a\" must be \"full\" or a table, not an array"),
            ("{ rect = [inf, 0, 1, 1] }", "x is infpx; it must be at most 1000000"),
            ("{ rect = [nan, 0, 1, 1] }", "x is nanpx; it must be at most 1000000"),
        ])
    func wrong(shape: String, message: String) {
        let said = headlines("[[region]]\nid = \"a\"\nshape = \(shape)")
        #expect(said.count == 1)
        #expect(said.first?.contains(message) == true, "\(said)")
    }

    @Test func childrenArePlacedInTheirParentsBox() throws {
        let regions = try layout(
            """
            [[region]]
            id = "child"
            parent = "box"
            shape = { rect = ["50%", "50%", "100%", "50%"] }
            [[region]]
            id = "grandchild"
            parent = "child"
            shape = "full"
            [[region]]
            id = "box"
            shape = { polygon = [[400, 400], [800, 400], [400, 800]] }
            """)
        // Parents come before their children, whatever their order in the file.
        #expect(regions.map { $0.id } == ["box", "child", "grandchild"])
        #expect(regions.map { $0.parent } == [nil, 0, 1])
        #expect(regions[1].bounds == Rectangle(minX: 150, minY: 150, maxX: 250, maxY: 200))
        #expect(regions[1].clip == Rectangle(minX: 100, minY: 100, maxX: 200, maxY: 200))
        // The grandchild has the box of its parent, and is clipped to the visible part of the parent.
        #expect(regions[2].bounds == regions[1].bounds)
        #expect(regions[2].clip == Rectangle(minX: 150, minY: 150, maxX: 200, maxY: 200))
    }

    /// The common edge of two regions has the same coordinate on every panel and in every unit.
    @Test func abuttingRegionsShareTheirEdgeExactly() throws {
        var random = SeededRandom(7)
        for _ in 0..<300 {
            let panel = PanelSize(
                widthPixels: Double.random(in: 100...5000, using: &random).rounded(),
                heightPixels: Double.random(in: 100...5000, using: &random).rounded(),
                widthMillimeters: Double.random(in: 30...1500, using: &random),
                heightMillimeters: Double.random(in: 30...1500, using: &random))
            let (a, b) = (Int.random(in: 1...600, using: &random), Int.random(in: 1...399, using: &random))
            func percent(_ permille: Int) -> String { "\"\(permille / 10).\(permille % 10)%\"" }
            let regions = try layout(
                """
                [[region]]
                id = "a"
                shape = { rect = [\(percent(a)), \(percent(b)), \(percent(b)), \(percent(a))] }
                [[region]]
                id = "right"
                shape = { rect = [\(percent(a + b)), 0, 10, 10] }
                [[region]]
                id = "below"
                shape = { rect = [0, \(percent(a + b)), 10, 10] }
                """, on: panel)
            #expect(regions[0].bounds.maxX == regions[1].bounds.minX)
            #expect(regions[0].bounds.maxY == regions[2].bounds.minY)
        }
    }

    @Test func edgesLieOnTheGridOfTouches() throws {
        let panel = PanelSize(widthPixels: 1366, heightPixels: 768, widthMillimeters: 344.2, heightMillimeters: 193.5)
        let region = try #require(
            try layout("[[region]]\nid = \"a\"\nshape = { rect = [100.3, 7, 50, 50] }", on: panel).first)
        let pixels = (100.3 * 1024).rounded() / 1024
        #expect(region.bounds.minX == pixels * panel.millimetersPerPixelX)
    }

    @Test func percentOfPercentStaysFinite() throws {
        let text = (0..<120).map { i in
            """
            [[region]]
            id = "r\(i)"
            \(i > 0 ? "parent = \"r\(i - 1)\"" : "")
            shape = { rect = ["-1000000%", 0, "1000000%", "1000000%"] }
            margin = "1000000%"

            """
        }.joined()
        for region in try layout(text) {
            let box = region.bounds
            #expect([box.minX, box.minY, box.maxX, box.maxY, region.margin].allSatisfy { $0.isFinite })
        }
    }
}
