// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Testing
import TouchSharing

/// `max_hold` of `[device.application]`. The panel has 100 x 100 mm and as many pixels, so a contact has moved when it is
/// farther than 16 mm from its landing.
@Suite("Shared panels: max_hold")
struct MaxHoldTests {
    private static let screen = """
        [[region]]
        id = "screen"
        shape = "full"
        gestures = ["press"]

        """

    private static func run(
        _ script: String, keys: String = "", regions: String = screen, cancel: String = "lift"
    ) throws -> SharingTests.Script {
        let text = "filter = { bridge = \"40ms\" }\n[device.application]\nmax_hold = \"400ms\"\n\(keys)\n" + regions
        var run = try SharingTests.Script(text, cancel: cancel)
        run.play(script)
        return run
    }

    @Test(
        "a contact that has not moved lifts once, whatever cancel says, and one that has moved stays",
        arguments: [
            ("0:1,50,50; +300; 0:1,66,50; +200; 0:1,90,50; +50; 0:-", ["0 +0 50,50", "300 ~0 66,50", "400 -0"]),
            ("0:1,50,50; +400; 0:1,90,50; +50; 0:-", ["0 +0 50,50", "400 -0"]),
            ("0:1,50,50; +399; 0:-; +500", ["0 +0 50,50", "399 -0"]),
            (
                "0:1,50,50; +100; 0:1,67,50; +10; 0:1,50,50; +900; 0:-",
                ["0 +0 50,50", "100 ~0 67,50", "110 ~0 50,50", "1010 -0"]
            ),
            (
                "0:1,20,50; +100; 1:2,80,50; +350; 1:2,80,90; +500; 1:-; 0:-",
                ["0 +0 20,50", "100 +1 80,50", "400 -0", "450 ~1 80,90", "950 -1"]
            ),
        ])
    func rests(script: String, heard: [String]) throws {
        for cancel in ["lift", "palm"] { #expect(try Self.run(script, cancel: cancel).heard == heard, "\(cancel)") }
    }

    @Test("gestures go on, touches says why, and the contact makes room")
    func told() throws {
        var run = try Self.run("0:1,50,50; +390", keys: "max_contacts = 1")
        #expect(run.receivers == ["both"])
        run.play("+20")
        #expect(run.receivers == ["gestured"])
        #expect(run.pipeline.shareCounts.open[.maxHold] == 1)
        run.play("1:2,20,20")
        #expect(run.heard == ["0 +0 50,50", "400 -0", "410 +1 20,20"])
        #expect(run.lines.last?.contains(#""to":"gestured","kept":"max_hold""#) == true, "\(run.lines)")
        run.play("0:-; 1:-; +1000")
        #expect(run.lines.contains { $0.contains(#""name":"press","phase":"end""#) })
        #expect(run.pipeline.nextDeadline == nil && run.pipeline.isIdle)
    }

    @Test("the time of a held contact begins when the application gets it")
    func held() throws {
        let regions = Self.screen.replacing("[\"press\"]", with: "[\"long_press\"]") + "touches = \"hold\"\n"
        let late = try Self.run("0:1,50,50; +100; 0:1,60,50; +500; 0:-", regions: regions).heard
        #expect(late == ["100 +0 50,50", "100 ~0 60,50", "500 -0"])
        // The contact has moved by more than 16 mm when the application gets it.
        let moved = try Self.run("0:1,50,50; +100; 0:1,70,50; +600; 0:-", regions: regions).heard
        #expect(moved == ["100 +0 50,50", "100 ~0 70,50", "700 -0"])
    }

    @Test("a contact that the panel loses for a moment rests on, also in another slot, and lifts while it is lost")
    func bridge() throws {
        let back = try Self.run("0:1,50,50; +380; 0:-; +10; 1:2,52,50; +100; 1:-; +100", keys: "bridge = true")
        #expect(back.heard.first == "0 +0 50,50" && back.heard.last == "400 -0", "\(back.heard)")
        let lost = try Self.run(
            "0:1,50,50; +380; 0:-; +30; 0:2,52,50; +100; 0:2,90,50; 0:-; +100", keys: "bridge = true")
        #expect(lost.heard == ["0 +0 50,50", "400 -0"])
    }

    @Test("a gesture that takes the contact comes first, and one that comes later changes nothing")
    func consumed() throws {
        let regions = Self.screen.replacing(
            "[\"press\"]", with: "[{ type = \"long_press\", delay = \"300ms\", consume = true }]")
        #expect(try Self.run("0:1,50,50; +600; 0:-", regions: regions).heard == ["0 +0 50,50", "400 -0"])
        let early = regions.replacing("300ms", with: "200ms")
        #expect(try Self.run("0:1,50,50; +600; 0:-", regions: early).heard == ["0 +0 50,50", "300 -0"])
        let late = regions.replacing("300ms", with: "600ms")
        #expect(try Self.run("0:1,50,50; +900; 0:-; +500", regions: late).heard == ["0 +0 50,50", "400 -0"])
    }

    @Test("a scene without it leaves the contact that is down as it is")
    func scene() throws {
        var run = try Self.run("0:1,50,50; +100")
        let now = Timestamp(microseconds: 1_100_000)
        run.pipeline.switchRegions(isShown: { _ in true }, ApplicationFilter(), at: now) { _ in }
        run.play("+500; 0:-; 0:2,20,20; +900; 0:-")
        #expect(run.heard == ["0 +0 50,50", "400 -0", "600 +0 20,20", "1500 -0"])
    }
}
