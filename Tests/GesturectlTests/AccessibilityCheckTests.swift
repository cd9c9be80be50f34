// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `gesturectl check --accessibility`
@Suite("Checking accessibility")
struct AccessibilityCheckTests {
    private func run(_ configuration: String, _ options: String...) throws -> Tool.Outcome {
        let folder = try ScratchFolder()
        let path = try folder.write(configuration, to: "kiosk.toml")
        var outcome = try Tool.run(["check", "--accessibility", path] + options)
        outcome.output = outcome.output.replacing(path, with: "kiosk.toml")
        outcome.errors = outcome.errors.replacing(path, with: "kiosk.toml")
        return outcome
    }

    private static let carousel = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "*" }
        output = { size = [1920, 1080], size_mm = [344, 194] }
        [[region]]
        id = "carousel"
        shape = { rect = ["0%", "0%", "100%", "50%"] }
          gestures = ["swipe"]

        """

    private static let buttons = """
        [[region]]
        id = "ok"
        shape = { rect = [100, 800, 20, 40] }
        gestures = ["press"]
        [[region]]
        id = "no"
        shape = { rect = [121, 800, 60, 60] }
        gestures = ["tap"]

        """

    @Test("prints findings like a compiler, and never a verdict on the whole")
    func text() throws {
        let outcome = try run(Self.carousel + Self.buttons)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                kiosk.toml:9:15: warning: carousel.swipe needs a movement along a path, and has no action, so no alternative \
                is known; give it an action, and give a tap the same one [path_only, EN 301 549 11.2.5.1]
                    9 |   gestures = ["swipe"]
                      |               ^^^^^^^
                kiosk.toml:12:9: warning: region "ok" on panel "panel" is 20 x 40 px, and a circle of 24 px around its middle \
                meets region "no"; make it 24 x 24 px or larger, or leave more room around it [target_size, WCAG 2.2 2.5.8]
                   12 | shape = { rect = [100, 800, 20, 40] }
                      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                kiosk.toml:13:13: hint: ok.press begins at the landing, where it cannot be taken back; use a button, or let the \
                application wait for an end with inside = true [acts_at_landing, EN 301 549 11.2.5.2]
                   13 | gestures = ["press"]
                      |             ^^^^^^^
                kiosk.toml: checked, 2 warnings, 1 hint; what the application does was not checked

                """)
        let quiet = try run(Self.carousel + Self.buttons, "--quiet").output
        #expect(quiet.split(separator: "\n").count == 9)
        #expect(!quiet.contains("checked"))
    }

    @Test("the page shows what the tool prints")
    func page() throws {
        let output = try run(Self.carousel).output
        let page = try #require(Document("docs/accessibility.md"))
        #expect(page.blocks.contains { $0.text + "\n" == output })
        let example = try #require(page.blocks.first { $0.language == "toml" && $0.text.contains("action =") })
        let outcome = try run("version = 1\n" + example.text)
        #expect(outcome.output.contains("hint: the size of panel \"panel\" is unknown"))
        #expect(outcome.output.hasSuffix("kiosk.toml: checked, 1 hint; what the application does was not checked\n"))
    }

    @Test("--json lists findings with their clauses, and keeps its other members")
    func json() throws {
        let output = try run(Self.carousel, "--json").output
        #expect(
            output.hasSuffix(
                #""accessibility":[{"severity":"warning","code":"path_only","clause":"EN 301 549 11.2.5.1","device":"panel","#
                    + #""region":"carousel","gesture":"swipe","file":"kiosk.toml","line":9,"column":15,"message":"carousel.swipe "#
                    + #"needs a movement along a path, and has no action, so no alternative is known","cure":"give it an action, "#
                    + #"and give a tap the same one"}]}"# + "\n"), "\(output)")
        #expect(output.hasPrefix(#"{"ok":true,"diagnostics":[],"gestures":[{"region":"carousel""#))
        let clean = "version = 1\n[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = []\n"
        #expect(try run(clean, "--json").output.hasSuffix("\"accessibility\":[]}\n"))
    }

    private static let panels = """
        version = 1
        [[device]]
        id = "left"
        match = { name = "Left*" }
        output = { size = [1920, 1080], size_mm = [480, 270] }
        [[device]]
        id = "right"
        match = { name = "Right*" }
        output = { size = [1920, 1080], size_mm = [960, 540] }
        [[region]]
        id = "a"
        shape = { rect = [100, 100, 30, 30] }
        gestures = ["tap", { type = "two_finger_tap", action = "menu" }]

        """

    @Test("what several panels have is printed once, and --device chooses one")
    func devices() throws {
        let all = try run(Self.panels).output
        #expect(all.contains("region \"a\" on panel \"left\" is 7.5 x 7.5 mm"))
        #expect(!all.contains("\"right\""))
        #expect(all.components(separatedBy: "a.two_finger_tap needs").count == 2)
        #expect(all.hasSuffix("kiosk.toml: checked, 1 warning, 1 hint; what the application does was not checked\n"))
        #expect(all.contains("warning: a.two_finger_tap"))
        let tap = "gestures = [{ type = \"tap\", action = \"menu\" }]\n"
        let front = "[[region]]\nid = \"b\"\ndevice = \"left\"\nshape = { rect = [500, 500, 90, 90] }\n" + tap
        let some = try run(Self.panels + front).output
        #expect(some.contains("warning: on panel \"right\", a.two_finger_tap needs several fingers"), "\(some)")
        #expect(try !run(Self.panels + front, "--device", "right").output.contains("on panel \"right\", a"))
        #expect(try !run(Self.panels, "--device", "right").output.contains("7.5 mm"))
        #expect(try run(Self.panels, "--device", "Left 7").output.contains("7.5 mm"))
        let unknown = try run(Self.panels, "--device", "rigth")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "gesturectl: no panel \"rigth\"; did you mean \"right\"?\n")
    }

    @Test("nothing found is no promise")
    func nothing() throws {
        let fine = """
            version = 1
            [[device]]
            id = "panel"
            match = { name = "*" }
            output = { size = [1920, 1080], size_mm = [344, 194] }
            [[region]]
            id = "a"
            shape = "full"
            gestures = ["press", "button"]

            """
        #expect(
            try run(fine).output == "kiosk.toml: checked, nothing found; what the application does was not checked\n")
        let wrong = try run(fine + "margn = 1\n")
        #expect(wrong.status == 78)
        #expect(wrong.output.isEmpty)
    }

    @Test("contradicting options are refused")
    func options() throws {
        #expect(try Tool.run(["check", "--accessibility", "--mqtt"]).status == 64)
        #expect(try Tool.run(["check", "--accessibility", "--keys"]).status == 64)
        #expect(try Tool.run(["check", "--device", "panel"]).status == 64)
    }
}
