// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// The engine recognizes gestures within the delays that `gesturectl check` prints.
@Suite("Decision delays")
struct DelayTests {
    /// The panel on which touch scripts are played: 200 x 100 mm.
    private static let panel = PanelSize(
        widthPixels: 2000, heightPixels: 1000, widthMillimeters: 200, heightMillimeters: 100)

    private func regions(_ gestures: String, more: String = "") throws -> [Region] {
        try layout("[[region]]\nid = \"r\"\nshape = \"full\"\ngestures = [\n\(gestures)\n]\n\(more)", on: Self.panel)
    }

    /// Checks the delay of the last gesture in the list.
    @Test(
        "of a gesture among others",
        arguments: [
            (#""press""#, "at the landing"),
            (#""tap""#, "at the lift"),
            (#""double_tap", { type = "tap", wait = true }"#, "up to 400 ms after the lift"),
            (#""long_press""#, "500 ms after the landing"),
            (#""repeat""#, "500 ms after the landing"),
            (#""drag""#, "at the movement"),
            (#"{ type = "drag", start = "0mm" }"#, "at the landing"),
            (#""swipe""#, "at the lift"),
            (#"{ type = "swipe", when = "threshold" }"#, "at the movement"),
            (#"{ type = "chain", path = ["up", "left"] }"#, "at the lift"),
            (#"{ type = "chain", path = ["up", "left"], when = "threshold" }"#, "at the movement"),
            (
                #"{ type = "chain", path = ["up", "left"] }, { type = "drag", unless = ["chain"] }"#,
                "at the movement, or up to 4000 ms after the landing"
            ),
            (#""pinch""#, "at the movement"),
            (#""rotate""#, "at the movement"),
            (#""dial""#, "at the movement"),
            (#"{ type = "stroke", points = [[0, 0], [1, 1]] }"#, "at the lift"),
            // Gestures with `unless`.
            (#""double_tap", { type = "tap", unless = ["double_tap"] }"#, "up to 400 ms after the lift"),
            (#""long_press", { type = "tap", unless = ["long_press"] }"#, "at the lift"),
            (#""tap", { type = "long_press", unless = ["tap"] }"#, "500 ms after the landing"),
            (
                #"{ type = "tap", max_time = "800ms" }, { type = "long_press", unless = ["tap"] }"#,
                "800 ms after the landing"
            ),
            (#""tap", { type = "press", unless = ["tap"] }"#, "500 ms after the landing"),
            (#""drag", { type = "press", unless = ["drag"] }"#, "at the lift"),
            (#""drag", { type = "long_press", unless = ["drag"] }"#, "at the lift"),
            (
                #"{ type = "long_press", delay = "700ms" }, { type = "drag", unless = ["long_press"] }"#,
                "at the movement, or up to 700 ms after the landing"
            ),
            (
                #"{ type = "swipe", max_time = "200ms" }, { type = "drag", unless = ["swipe"] }"#,
                "at the movement, or up to 200 ms after the landing"
            ),
            (#""rotate", { type = "pinch", unless = ["rotate"] }"#, "perhaps never"),
            (
                #"{ type = "stroke", points = [[0, 0], [1, 1]] }, { type = "swipe", unless = ["stroke"] }"#,
                "at the lift"
            ),
            (#""press", { type = "tap", unless = ["press"] }"#, "perhaps never"),
            (
                #""double_tap", { type = "tap", unless = ["double_tap"] }, { type = "swipe", unless = ["tap"] }"#,
                "up to 400 ms after the lift"
            ),
            // Gestures with `after`.
            (#""long_press", { type = "drag", after = ["long_press"] }"#, "at the movement"),
            (
                #""long_press", { type = "long_press", name = "more", after = ["long_press"] }"#,
                "1000 ms after the landing"
            ),
            (
                #"{ type = "tap", max_time = "800ms" }, { type = "repeat", interval = "90ms", unless = ["tap"] }"#,
                "890 ms after the landing"
            ),
            (#""drag", { type = "press", after = ["drag"] }"#, "when drag is recognized"),
            (
                #""drag", "tap", { type = "press", after = ["drag"], unless = ["tap"] }"#,
                "500 ms after drag is recognized"
            ),
            (#""drag", { type = "long_press", after = ["drag"] }"#, "500 ms after drag is recognized"),
            (
                #""long_press", { type = "drag", after = ["long_press"] }, { type = "press", unless = ["drag"] }"#,
                "at the lift"
            ),
        ])
    func delay(gestures: String, expected: String) throws {
        #expect(try regions(gestures).decisionDelays(of: 0).last?.description == expected)
    }

    @Test(
        "a pattern is decided together with its last step",
        arguments: [
            (#"["tap r", "long_press s"]"#, "800 ms after the landing"),
            (#"["tap r", "double s"]"#, "at the lift"),
            (#"["tap r", "tap s"]"#, "up to 400 ms after the lift"),
            (#"["tap r", "tap nowhere"]"#, "at the lift"),
            (#"["tap r", "drag s"]"#, "perhaps never"),
        ])
    func pattern(steps: String, expected: String) throws {
        let more = """
            [[region]]
            id = "s"
            shape = { rect = [0, 0, 10, 10] }
            gestures = [{ type = "long_press", delay = "800ms" }, { type = "tap", wait = true },
              { type = "double_tap", name = "double" }]
            """
        let found = try regions("{ type = \"pattern\", steps = \(steps) }, \"tap\"", more: more)
        #expect(found.decisionDelays(of: 0).first?.description == expected)
    }

    /// A contact lands at 0 ms, and the last gesture of the list is recognized after its delay.
    @Test(
        "the engine takes as long as the delay states",
        arguments: [
            (
                #""double_tap", { type = "tap", name = "x", unless = ["double_tap"] }"#,
                "down a 10,10; +100ms; up a", 500
            ),
            (
                #""long_press", { type = "tap", name = "x", unless = ["long_press"] }"#, "down a 10,10; +100ms; up a",
                100
            ),
            (
                #"{ type = "tap", max_time = "800ms" }, { type = "long_press", name = "x", unless = ["tap"] }"#,
                "down a 10,10; +2000ms; up a", 800
            ),
            (#""tap", { type = "press", name = "x", unless = ["tap"] }"#, "down a 10,10; +2000ms; up a", 500),
            (#""drag", { type = "press", name = "x", unless = ["drag"] }"#, "down a 10,10; +2000ms; up a", 2000),
            (#""drag", { type = "long_press", name = "x", unless = ["drag"] }"#, "down a 10,10; +2000ms; up a", 2000),
            (
                #"{ type = "swipe", max_time = "200ms" }, { type = "drag", name = "x", unless = ["swipe"] }"#,
                "down a 10,10; +100ms; move a 30,10; +2000ms; up a", 200
            ),
            (
                #""long_press", { type = "long_press", name = "x", after = ["long_press"] }"#,
                "down a 10,10; +2000ms; up a", 1000
            ),
            (
                #""drag", { type = "press", name = "x", after = ["drag"] }"#,
                "down a 10,10; +100ms; move a 30,10; +2000ms; up a", 100
            ),
            (
                #""drag", { type = "long_press", name = "x", after = ["drag"] }"#,
                "down a 10,10; +100ms; move a 30,10; +2000ms; up a", 600
            ),
        ] as [(String, String, Int?)])
    func engine(gestures: String, script: String, milliseconds: Int?) throws {
        let told = simulate(try regions(gestures), script).split(separator: "\n")
            .first { $0.split(separator: " ").dropFirst().first == "x" }
        let time = told?.split(separator: " ").first.flatMap { Double($0) }
        #expect(time.map { Int($0) } == milliseconds, "\(told ?? "nothing")")
    }

    @Test func aGestureThatCannotHappenIsAWarning() throws {
        let text = """
            [[region]]
            id = "a"
            shape = "full"
            gestures = ["press", { type = "long_press", unless = ["press"] }]
            """
        let configuration = try #require(ConfigurationReader.read(text, path: "t").configuration)
        #expect(
            configuration.regions(for: .fullHD).diagnostics.map { $0.headline } == [
                "t:4:22: warning: a.long_press may never be recognized: gestures that must fail first (\"press\") are "
                    + "recognized at once, or are still possible at the lift"
            ])
    }
}
