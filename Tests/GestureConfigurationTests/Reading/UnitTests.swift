// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import Testing

@Suite("Units")
struct UnitTests {
    private func tap(_ keys: String, on panel: PanelSize = .fullHD) throws -> TapSettings {
        let text = "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [{ type = \"tap\", \(keys) }]"
        let gesture = try #require(try layout(text, on: panel).first?.gestures.first)
        guard case .tap(let settings) = gesture.settings else {
            Issue.record("no tap")
            return TapSettings()
        }
        return settings
    }

    @Test(
        "of lengths",
        arguments: [
            ("3mm", 3.0), ("0mm", 0), ("2.5mm", 2.5), ("+4 mm", 4), ("12px", 3), ("1%", 2.7), ("100%", 270),
        ])
    func length(text: String, millimeters: Double) throws {
        #expect(abs(try tap("slop = \"\(text)\"").slop - millimeters) < 1e-9)
    }

    @Test(
        "of times",
        arguments: [
            ("500ms", 500_000), ("1.5s", 1_500_000), ("0.25 s", 250_000), ("1ms", 1000), ("3600s", 3_600_000_000),
            ("12.3456ms", 12_346), ("0.5min", 30_000_000), ("1 h", 3_600_000_000),
        ] as [(String, Int64)])
    func time(text: String, microseconds: Int64) throws {
        #expect(try tap("max_time = \"\(text)\"").maxTime.microseconds == microseconds)
    }

    @Test(
        "that are refused",
        arguments: [
            "", "mm", "3", ".5mm", "5.mm", "1e3mm", "0x3mm", "3 mm ", "3  mm", " 3mm", "3mm3", "--3mm", "infmm",
            "nanmm",
            "1.2.3mm", "3m", "3MM", "9999999999999999999mm", "1000001mm", "٣mm",
        ])
    func wrongLength(text: String) {
        let whole = "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [{ type = \"tap\", slop = \"\(text)\" }]"
        #expect(ConfigurationReader.read(whole).diagnostics.count == 1)
    }

    @Test(
        "of bare numbers in shapes",
        arguments: [
            ("100", 25.0), ("100.5", 25.125), ("\"100px\"", 25), ("\"25mm\"", 25), ("\"50%\"", 240), ("-100", -25),
            ("\"-25mm\"", -25),
        ])
    func coordinate(text: String, millimeters: Double) throws {
        let shape = "[[region]]\nid = \"a\"\nshape = { rect = [\(text), 0, 2000, 10] }"
        #expect(try layout(shape).first?.bounds.minX == millimeters)
    }

    @Test func percentAreOfTheParentsSides() throws {
        let regions = try layout(
            """
            [[region]]
            id = "a"
            shape = { rect = [0, 0, 800, 400] }
            [[region]]
            id = "b"
            parent = "a"
            shape = { rect = ["10%", "10%", "50%", "50%"] }
            margin = "10%"
            gestures = [{ type = "tap", slop = "5%" }]
            [[region]]
            id = "c"
            parent = "a"
            shape = { circle = { center = ["50%", "50%"], radius = "10%" } }
            """)
        #expect(regions[1].bounds == Rectangle(minX: 20, minY: 10, maxX: 120, maxY: 60))
        #expect(regions[1].margin == 10)
        #expect(regions[1].gestures.first?.settings == .tap(settings { ($0.slop, $0.gap) = (5, .milliseconds(400)) }))
        #expect(regions[2].shape == .circle(center: Point(x: 100, y: 50), radius: 10))
    }

    @Test func speedsAndAngles() throws {
        let text = """
            [[region]]
            id = "a"
            shape = "full"
            gestures = [
              { type = "swipe", min_velocity = "400px/s", max_deviation = 30 },
              { type = "swipe", name = "b", min_velocity = "55.5 mm/s", max_deviation = "off", directions = ["up", "up"] },
            ]
            """
        let swipes = try layout(text)[0].gestures.map { $0.settings }
        var first = SwipeSettings()
        first.minVelocity = 100
        first.maxDeviation = 30
        var second = SwipeSettings()
        second.minVelocity = 55.5
        second.directions = [.up]
        #expect(swipes == [.swipe(first), .swipe(second)])
    }

    private func settings(_ change: (inout TapSettings) -> Void) -> TapSettings {
        var result = TapSettings()
        change(&result)
        return result
    }
}
