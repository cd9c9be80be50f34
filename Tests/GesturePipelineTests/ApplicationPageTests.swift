// SPDX-License-Identifier: MIT
import ContactTracking
import GesturePipeline
import GestureTestSupport
import Testing

/// The events that an application receives with the configurations in docs/application.md, and with the lock in
/// docs/cookbook.md. Positions are in hundredths of the panel, which are 2.6 mm.
@Suite("docs/application.md: what the application hears")
struct ApplicationPageTests {
    private let filter: String
    private let hold: String
    private let wake: String
    private let scenes: String

    init() throws {
        let blocks = try #require(Document("docs/application.md")).blocks.filter { $0.language == "toml" }.map(\.text)
        try #require(blocks.count == 4)
        filter = blocks[0] + "\n"
        hold = blocks[1] + "\n"
        wake = blocks[2] + "\n"
        scenes = blocks[3].replacing("version = 1\n", with: "")
    }

    private static func play(_ file: String, _ script: String) throws -> [String] {
        var run = try SharingTests.Script(file: file)
        run.play(script + "; +500")
        return run.heard.filter { !$0.contains("~") }
    }

    /// The events without their times and positions: `+0` and `-0`.
    private static func events(_ file: String, _ script: String) throws -> [String] {
        try play(file, script).map { String($0.split(separator: " ")[1]) }
    }

    @Test("one finger of a pinch, also after it has lifted")
    func pinch() throws {
        let script = "0:1,40,50; +20; 1:2,60,50; +20; 0:1,30,50; 1:2,70,50; +20; 0:-; +200; 1:2,80,50; +20; 1:-"
        #expect(try Self.events(filter, script) == ["+0", "-0"])
        let all = filter.replacing("max_contacts = 1, ", with: "")
        #expect(try Self.events(all, script) == ["+0", "+1", "-0", "-1"])
    }

    @Test("nothing of a storm, once it has been noticed")
    func storm() throws {
        let landings = (1...80).map { "0:\($0),\($0 * 37 % 100),50; +6; 0:-; +6" }.joined(separator: "; ")
        let heard = try Self.events(filter, landings)
        #expect(heard.count { $0 == "+0" } <= 41)
        #expect(heard.last == "-0")
        #expect(try Self.events(filter.replacing("filter = true, ", with: ""), landings).count == 160)
    }

    @Test("one touch of a double strike, and each of two taps")
    func strikes() throws {
        let strike = "0:1,50,50; +50; 0:-; +50; 0:2,52,50; +50; 0:-"
        #expect(try Self.events(filter, strike) == ["+0", "-0"])
        #expect(try Self.events(filter, strike.replacing("+50; 0:2", with: "+70; 0:2")) == ["+0", "-0", "+0", "-0"])
    }

    @Test("one touch of a finger that the panel loses for a moment, and its lift later by `bridge`")
    func bridge() throws {
        let script = "0:1,50,50; +100; 0:-; +40; 0:2,50,50; +100; 0:-"
        #expect(try Self.play(filter, script) == ["0 +0 50,50", "320 -0"])
    }

    @Test("a finger that rests for 400 ms, and one that moves before as long as it is down")
    func rest() throws {
        #expect(try Self.play(hold, "0:1,50,50; +900; 0:-") == ["0 +0 50,50", "400 -0"])
        #expect(try Self.play(hold, "0:1,50,50; +390; 0:1,53,50; +500; 0:-") == ["0 +0 50,50", "890 -0"])
    }

    @Test("nothing of the touch that wakes the display, nor of one within `guard`")
    func guarded() throws {
        var run = try SharingTests.Script(file: wake)
        var isOff = true
        run.pipeline.guardWake { isOff ? .display : nil }
        run.play("0:1,50,50")
        isOff = false
        run.play("+50; 0:-; +450; 0:2,50,50; +10; 0:-; +500; 0:3,50,50")
        #expect(run.heard == ["1010 +0 50,50"])
    }

    @Test("nothing while the panel is locked")
    func lock() throws {
        let script = "0:1,50,50; +50; 1:2,60,50; +50; 0:-; 1:-"
        let locked = scenes.replacing("scene = \"open\"", with: "scene = \"locked\"")
        #expect(try Self.play(filter + locked, script) == [])
        #expect(try Self.play(filter + scenes, script) == ["0 +0 50,50", "180 -0"])
        var run = try SharingTests.Script(file: filter + locked)
        run.play("0:1,50,50; +2000; 0:1,55,50; 0:-; +500")
        #expect(run.lines.contains { $0.contains("\"name\":\"button\",\"region\":\"glass\"") }, "\(run.lines)")
    }

    @Test("nothing in the lock of docs/cookbook.md, whose region captures")
    func cookbook() throws {
        let page = try #require(Document("docs/cookbook.md"))
        #expect(page.text.contains("`lock` needs `touches = \"capture\"`"))
        let recipe = try #require(page.blocks.first { $0.lines.contains("id = \"locked\"") }).text
            .replacing("version = 1\n[daemon]\nscene = \"open\"\n", with: "")
        let device = """
            version = 1
            [daemon]
            scene = "locked"
            [[device]]
            id = "panel"
            match = { name = "*" }
            share = "forward"

            """
        let script = "0:1,50,20; +80; 0:-; +300; 0:2,50,20; +40; 0:2,50,80; +10; 0:-"
        let captures = recipe.replacing("id = \"lock\"\n", with: "id = \"lock\"\ntouches = \"capture\"\n")
        #expect(try Self.play(device + captures, script) == [])
        #expect(try Self.play(device + recipe, script).count == 4)
    }
}
