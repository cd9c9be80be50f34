// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Plays touches on the example with several pages.
@Suite("The terminal example")
struct TerminalExampleTests {
    /// A panel of 200 x 100 mm with 10 pixels per millimetre.
    private static let panel = PanelSize(
        widthPixels: 2000, heightPixels: 1000, widthMillimeters: 200, heightMillimeters: 100)

    /// The events of a touch script in a scene, without updates.
    private func play(_ scene: String, _ script: String) throws -> [String] {
        let text = try readText(packageRoot + "/config/examples/terminal.toml")
        var runtime = RuntimeState()
        runtime.scene = scene
        let configuration = try #require(ConfigurationReader.read(text).configuration).applying(runtime)
        var engine = GestureEngine(
            configuration.regions(for: Self.panel).regions, arbitration: configuration.arbitration,
            bounds: Self.panel.bounds)
        engine.reportsUpdates = false
        // Each line is reduced to its words: the time and everything from the first number on are removed.
        return simulate(&engine, script).split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst().prefix { Double($0) == nil }.joined(separator: " ")
        }
    }

    private func plays(_ scene: String, _ script: String, _ expected: [String]) throws {
        let events = try play(scene, script)
        for line in expected {
            #expect(events.contains { $0.hasPrefix(line) }, "no \(line) in \(events)")
        }
    }

    @Test func aMapIsPinchedAcrossTwoButtons() throws {
        let events = try play(
            "map",
            """
            down a 180,60; +10ms; down b 180,80; +20ms; move a 180,55 & move b 180,85; +10ms
            move a 180,50 & move b 180,88; +10ms; up a; +5ms; up b
            """)
        #expect(events.contains { $0.hasPrefix("map.pinch begin") }, "\(events)")
        #expect(events.contains { $0.hasPrefix("map.closer.press cancel claimed") }, "\(events)")
        #expect(events.contains { $0.hasPrefix("map.farther.press cancel claimed") }, "\(events)")
        #expect(!events.contains { $0.hasPrefix("map.closer.press end") }, "\(events)")
    }

    @Test func aTapOnTheMapWaitsForTheDoubleTap() throws {
        try plays("map", "down a 100,40; +50ms; up a", ["map.what_is_here"])
        let events = try play("map", "down a 100,40; +50ms; up a; +100ms; down b 100,40; +50ms; up b")
        #expect(events == ["map.zoom_in after"])
    }

    @Test func theSliderIsMovedAndTheListScrolls() throws {
        let slid = try play("settings", "down a 100,40; +20ms; move a 110,40; +20ms; move a 120,45; +500ms; up a")
        #expect(slid.contains { $0.hasPrefix("list.volume.slide begin") }, "\(slid)")
        #expect(!slid.contains { $0.hasPrefix("list.scroll") }, "\(slid)")
        let scrolled = try play("settings", "down a 100,40; +20ms; move a 100,50; +20ms; move a 105,60; +500ms; up a")
        #expect(scrolled.contains { $0.hasPrefix("list.scroll begin") }, "\(scrolled)")
        #expect(scrolled.contains { $0.hasPrefix("list.volume.press cancel claimed") }, "\(scrolled)")
        #expect(!scrolled.contains { $0.hasPrefix("list.volume.slide") }, "\(scrolled)")
    }

    @Test func anEntryIsLiftedAndMoved() throws {
        let events = try play("settings", "down a 100,65; +600ms; move a 100,75; +20ms; move a 100,80; +500ms; up a")
        #expect(events.contains { $0.hasPrefix("list.order.lift begin") }, "\(events)")
        #expect(events.contains { $0.hasPrefix("list.order.move begin") }, "\(events)")
        #expect(!events.contains { $0.hasPrefix("list.scroll") }, "\(events)")
    }

    @Test func aFingerSlidesFromKeyToKey() throws {
        let events = try play("keyboard", "down a 20,40; +50ms; move a 100,40; +50ms; move a 180,40; +50ms; up a")
        #expect(
            events.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
                "key.1.press begin", "key.1.press cancel handover", "key.2.press begin", "key.2.press cancel handover",
                "key.3.press begin", "key.3.press end inside",
            ])
    }

    @Test("the service menu opens on every page", arguments: ["default", "map", "settings", "keyboard"])
    func service(scene: String) throws {
        let tap = "+100ms; down a 2,2; +50ms; up a; "
        let events = try play(scene, tap + "+400ms; " + tap + "+400ms; down a 198,2; +2500ms; up a")
        #expect(events.contains { $0.hasPrefix("corner.right.service") }, "\(events)")
        let wrong = try play(scene, tap + "+400ms; down a 198,2; +2500ms; up a")
        #expect(!wrong.contains { $0.hasPrefix("corner.right.service") }, "\(wrong)")
    }

    @Test func regionsOfOtherScenesAreOff() throws {
        #expect(try play("keyboard", "down a 100,95; +50ms; up a") == ["bar.next_page after"])
        #expect(try !play("map", "down a 100,40; +600ms; up a").contains { $0.hasPrefix("key") })
        #expect(try play("settings", "down a 20,40; +50ms; up a").contains { $0.hasPrefix("list.volume.press") })
    }
}
