// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import Testing

@Suite("Keys of taps and presses")
struct TapKeyTests {
    private func settings(_ gestures: String, defaults: String = "") throws -> [GestureSettings] {
        let text = "defaults = { \(defaults) }\n[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\(gestures)]\n"
        return try #require(try layout(text).first).gestures.map { $0.settings }
    }

    private func taps(_ gestures: String, defaults: String = "") throws -> [TapSettings] {
        try settings(gestures, defaults: defaults).compactMap { if case .tap(let tap) = $0 { tap } else { nil } }
    }

    private func errors(_ gesture: String) -> [String] {
        headlines("[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\(gesture)]\n")
    }

    @Test("a button is a tap inside, without other limits, and called a tap in lines")
    func button() throws {
        var expected = TapSettings()
        (expected.staysInside, expected.slop, expected.maxTime) = (true, .infinity, .unlimited)
        let defaults = "tap = { slop = \"9mm\", max_time = \"1s\", inside = false }"
        #expect(
            try taps(
                "\"button\", { type = \"tap\", inside = true, slop = \"off\", max_time = \"off\" }", defaults: defaults)
                == [expected, expected])
        let text = "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\"button\"]\n"
        let gesture = try #require(try layout(text).first?.gestures.first)
        #expect((gesture.name, gesture.word) == ("button", "tap"))
        for key in ["slop = \"1mm\"", "max_time = \"1s\"", "inside = false"] {
            #expect(errors("{ type = \"button\", \(key) }").first?.contains("unknown key") == true, "\(key)")
        }
    }

    @Test(
        "gap is the same whether or not a tap waits, unless it is given",
        arguments: [
            ("\"double_tap\"", 400), ("\"tap\", \"double_tap\"", 400),
            ("{ type = \"tap\", wait = true }, \"double_tap\"", 400),
            ("{ type = \"tap\", unless = [\"double_tap\"] }, \"double_tap\"", 400),
            ("{ type = \"double_tap\", gap = \"250ms\" }", 250),
            ("{ type = \"double_tap\", gap = \"250ms\" }, { type = \"tap\", wait = true }", 250),
        ] as [(String, Int64)])
    func gap(gestures: String, milliseconds: Int64) throws {
        let all = try taps(gestures)
        #expect(all.first { $0.count == 2 }?.gap == .milliseconds(milliseconds))
    }

    @Test("the gap before gestures with taps is that of the taps")
    func gapBefore() throws {
        for (gestures, milliseconds) in [
            ("{ type = \"drag\", taps = 1 }", 400),
            ("{ type = \"drag\", taps = 1 }, { type = \"tap\", wait = true }", 400),
        ] as [(String, Int64)] {
            let text = "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\(gestures)]\n"
            #expect(try layout(text).first?.taps.gap == .milliseconds(milliseconds))
        }
    }

    private func isSingle(_ settings: GestureSettings) -> Bool? {
        if case .press(let press) = settings { press.isSingle } else { nil }
    }

    @Test("a press has one finger or any")
    func press() throws {
        let both = "{ type = \"press\", fingers = 1 }, { type = \"press\", name = \"b\", fingers = \"any\" }"
        #expect(try settings(both).map(isSingle) == [true, false])
        #expect(try settings("\"press\"", defaults: "press = { fingers = 1 }").map(isSingle) == [true])
        for value in ["2", "0", "\"all\"", "true", "1.5"] {
            let said = errors("{ type = \"press\", fingers = \(value) }")
            #expect(said == ["t:4:41: error: fingers of a press must be 1 or \"any\""])
        }
    }

    @Test("a tap that is decided at its landing needs an earlier one, and does not wait")
    func landing() throws {
        #expect(try taps("{ type = \"double_tap\", when = \"landing\" }").first?.when == .landing)
        #expect(try taps("{ type = \"tap\", count = 3, when = \"landing\" }").first?.when == .landing)
        #expect(errors("{ type = \"tap\", when = \"landing\" }").first?.contains("count of 2 or more") == true)
        #expect(
            errors("{ type = \"two_finger_tap\", when = \"landing\" }").first?.contains("count of 2 or more") == true)
        #expect(
            errors("{ type = \"double_tap\", when = \"landing\", wait = true }").first?.contains(
                "cannot be combined with wait") == true)
        #expect(errors("{ type = \"tap\", when = \"lift\" }").isEmpty)
    }
}
