// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Testing
import TouchSharing

/// The contacts that `[device.application]` hides from an application. The panel has 100 x 100 mm.
@Suite("Shared panels: the application's filter")
struct ApplicationFilterTests {
    private typealias Script = SharingTests.Script

    private static let screen = """
        [[region]]
        id = "screen"
        shape = "full"
        gestures = ["press"]

        """
    private static let hold = screen.replacing("[\"press\"]", with: "[\"tap\"]") + "touches = \"hold\"\n"
    private static let secret = """
        [[region]]
        id = "secret"
        private = true
        shape = { rect = [50, 0, 50, 100] }

        """

    /// - Parameters:
    ///   - keys: the keys of `[device.application]`.
    ///   - filter: the keys of the panel's filter.
    private static func run(
        _ keys: String, filter: String = "", regions: String = screen, cancel: String = "lift", _ script: String
    ) throws -> SharingTests.Script {
        var run = try Script("filter = { \(filter) }\n[device.application]\n\(keys)\n" + regions, cancel: cancel)
        run.play(script)
        return run
    }

    private static func play(
        _ keys: String, filter: String = "", regions: String = screen, cancel: String = "lift", _ script: String
    ) throws -> [String] {
        try run(keys, filter: filter, regions: regions, cancel: cancel, script).heard
    }

    // MARK: max_contacts

    @Test("max_contacts: the contact that landed first stays, and a further one never reaches the application")
    func limit() throws {
        let script = "0:1,50,20; +10; 1:2,50,80; +10; 0:1,50,30; +10; 0:-; +10; 1:2,50,90; +10; 0:3,20,20; 1:-; 0:-"
        #expect(
            try Self.play("max_contacts = 1", script)
                == ["0 +0 50,20", "20 ~0 50,30", "30 -0", "50 +0 20,20", "50 -0"])
        #expect(try Self.play("max_contacts = 2", script).filter { $0.contains("+") }.count == 3)
    }

    @Test("max_contacts: a contact that lands as the other one lifts reaches the application")
    func replacement() throws {
        var run = try Self.run("max_contacts = 1", "0:1,50,20; +10")
        run.frame("0:-", "1:2,50,80")
        #expect(run.heard == ["0 +0 50,20", "10 -0", "10 +1 50,80"])
    }

    @Test("max_contacts: the gestures receive every contact, and touches says who does not")
    func told() throws {
        var run = try Self.run("max_contacts = 1", "0:1,50,20; 1:2,50,80")
        #expect(run.receivers == ["both", "gestured"])
        #expect(run.lines.last?.contains(#""to":"gestured","kept":"max_contacts""#) == true)
        run.play("0:-; 1:-")
        #expect(run.pipeline.shareCounts.open[.maxContacts] == 1)
        #expect(run.pipeline.shareCounts.open.forwarded == 1)
    }

    @Test("max_contacts: a held contact counts when the application would get it")
    func held() throws {
        let script = "0:1,50,20; +10; 1:2,50,80; +400; 0:-; 1:-; +500"
        let heard = try Self.play("max_contacts = 1", regions: Self.hold, script)
        #expect(heard == ["410 +0 50,20", "410 -0"])
        #expect(try Self.play("max_contacts = 2", regions: Self.hold, script).filter { $0.contains("+") }.count == 2)
    }

    @Test("max_contacts: a contact of a private region makes room, so that no other contact depends on it")
    func privateContact() throws {
        let regions = Self.screen + Self.secret
        let hidden = try Self.run("max_contacts = 1", regions: regions, "0:1,80,20; +10; 1:2,20,20; +10; 0:-; 1:-")
        #expect(hidden.heard == ["0 +0 80,20", "10 -0", "10 +1 20,20", "20 -1"])
        #expect(hidden.pipeline.shareCounts.hidden[.maxContacts] == 1)
        let later = try Self.play("max_contacts = 1", regions: regions, "0:1,20,20; +10; 1:2,80,20; +10; 0:-; 1:-")
        #expect(later == ["0 +0 20,20", "20 -0"])
    }

    private static let taken = """
        gestures = [{ type = "long_press", delay = "50ms", consume = true }]

        """

    @Test("max_contacts: a contact that was taken, and stands still, makes room")
    func still() throws {
        let regions = Self.screen.replacing("gestures = [\"press\"]\n", with: Self.taken)
        var run = try Self.run("max_contacts = 1", regions: regions, "0:1,50,50; +60")
        run.frame("0:-", "1:2,80,80")
        run.play("+10; 1:-; +100")
        #expect(run.heard == ["0 +0 50,50", "60 -0", "60 +1 80,80", "70 -1"])
    }

    @Test("max_contacts: of contacts that land in one frame, the first one has the lowest id, whatever its slot")
    func order() throws {
        var run = try Self.run("max_contacts = 1", "")
        run.frame("0:65535,20,20", "1:3,80,80")
        run.frame("0:-", "1:-")
        run.frame("0:3,20,20", "1:2,80,80")
        #expect(run.heard == ["0 +0 20,20", "0 -0", "0 +1 80,80"])
    }

    @Test("max_contacts: a contact of a private region that was taken, or that waits, makes room")
    func privateRoom() throws {
        let regions = Self.screen + Self.secret + Self.taken
        let still = try Self.play("max_contacts = 1", regions: regions, "0:1,80,20; +60; 1:2,20,20; +10; 1:-; 0:-")
        #expect(still == ["0 +0 80,20", "60 -0", "60 +1 20,20", "70 -1"])
        let waiting = try Self.play(
            "max_contacts = 1\nbridge = true", filter: "bridge = \"40ms\"", regions: Self.screen + Self.secret,
            "0:1,80,20; +10; 0:-; +10; 1:2,20,20; +10; 0:3,80,20; 1:-; 0:-; +100")
        #expect(waiting == ["0 +0 80,20", "20 -0", "20 +1 20,20", "70 -1"])
    }

    @Test("max_contacts: after it was lowered, several contacts of a private region make room")
    func lowered() throws {
        var run = try Self.run(
            "max_contacts = 2", regions: Self.screen + Self.secret, "0:1,80,20; 1:2,80,60; 1:-; 0:3,80,20; 1:4,80,60")
        var application = ApplicationFilter()
        application.maxContacts = 1
        run.pipeline.switchRegions(isShown: { _ in true }, application, at: Timestamp(microseconds: 1_000_000)) { _ in }
        run.play("+10")
        run.frame("0:-", "0:5,20,20")
        #expect(run.heard.suffix(3) == ["10 -1", "10 -0", "10 +0 20,20"])
    }

    // MARK: filter

    @Test("filter: a contact in a mask reaches neither the gestures nor the application")
    func mask() throws {
        let script = "0:1,5,5; +10; 0:1,50,50; 1:2,50,80; +10; 0:-; 1:-"
        let filter = "mask = [[0, 0, 10, 10]]"
        #expect(try Self.play("filter = true", filter: filter, script) == ["10 +1 50,80", "20 -1"])
        #expect(try Self.play("filter = false", filter: filter, script).count == 5)
        let run = try Self.run("filter = true", filter: filter, "0:1,5,5")
        #expect(run.lines.last?.contains(#""filter":"mask","to":"nobody","kept":"filter""#) == true)
        #expect(run.pipeline.shareCounts.open[.filter] == 1)
    }

    @Test("filter: a contact that becomes too old is taken back")
    func age() throws {
        let filter = "max_contact_age = \"1s\""
        let script = "0:1,50,50; +1500; 0:1,50,60; +10; 0:-"
        #expect(try Self.play("filter = true", filter: filter, script) == ["0 +0 50,50", "1100 -0"])
        #expect(
            try Self.play("filter = true", filter: filter, cancel: "palm", script)
                == ["0 +0 50,50", "1000 palm 0", "1510 -0"])
        #expect(try Self.play("filter = false", filter: filter, script).last == "1510 -0")
    }

    @Test("filter: a storm takes back what had landed before it was noticed")
    func storm() throws {
        let filter = "storm = { contacts_per_second = 1, quiet = \"1s\" }"
        let script = "0:1,20,20; +10; 1:2,80,80; +10; 1:-; 0:-; +50; 0:3,50,50; 0:-"
        let run = try Self.run("filter = true", filter: filter, cancel: "palm", script)
        #expect(run.heard == ["0 +0 20,20", "10 palm 0", "20 -0"])
        #expect(run.pipeline.shareCounts.open[.filter] == 3)
    }

    @Test("filter: a held contact that a filter hides later is never given")
    func heldAndHidden() throws {
        let filter = "max_contact_age = \"100ms\""
        #expect(try Self.play("filter = true", filter: filter, regions: Self.hold, "0:1,50,50; +200; 0:-; +500") == [])
    }

    // MARK: min_gap

    @Test(
        "min_gap: a landing soon after a lift near it is hidden",
        arguments: [
            ("+50; 0:2,52,50; +30; 0:-", 1), ("+60; 0:2,52,50; +30; 0:-", 2), ("+50; 0:2,59,50; +30; 0:-", 2),
            ("+50; 0:2,58,50; +30; 0:-; +50; 0:3,58,50; 0:-", 1), ("+30; 1:2,52,50; +30; 1:-", 1),
        ])
    func bounce(script: String, taps: Int) throws {
        let heard = try Self.play("min_gap = \"60ms\"", "0:1,50,50; +50; 0:-; " + script)
        #expect(heard.filter { $0.contains("+") }.count == taps)
        #expect(heard.filter { $0.contains("-") }.count == taps)
    }

    @Test("min_gap: a new tracking id without a lift in between is a lift and a landing")
    func replaced() throws {
        let script = "0:1,50,50; +50; 0:2,51,50; +50; 0:-"
        #expect(try Self.play("min_gap = \"60ms\"", script) == ["0 +0 50,50", "50 -0"])
        #expect(try Self.play("min_gap = \"60ms\"\nbounce_distance = \"0.5mm\"", script).count == 4)
    }

    @Test("min_gap: the end of a contact that was down when sharing began is a lift where it was")
    func elder() throws {
        var run = try Self.run("min_gap = \"60ms\"", "0:1,50,50; +10")
        final class Other { var events: [KernelEvent] = [] }
        let other = Other()
        run.pipeline.liftShared(at: Timestamp(microseconds: 1_010_000))
        run.pipeline.endSharing()
        run.pipeline.startSharing { other.events += $0 }
        run.play("0:2,51,50; +10; 0:-")
        #expect(other.events.isEmpty)
    }

    @Test("min_gap: a gap that is set after the lift hides the next landing")
    func laterGap() throws {
        var run = try Self.run("", "0:1,50,50; +50; 0:-; +10")
        var application = ApplicationFilter()
        application.minGap = .milliseconds(500)
        run.pipeline.switchRegions(isShown: { _ in true }, application, at: Timestamp(microseconds: 1_060_000)) { _ in }
        run.play("0:2,51,50; +50; 0:-")
        #expect(run.heard == ["0 +0 50,50", "50 -0"])
    }

    @Test("min_gap: a longer gap hides the next landing, whatever has landed in a private region before it was set")
    func longerGap() throws {
        for touch in ["+50", "+30; 1:2,80,50; +10; 1:-; +10"] {
            let regions = Self.screen + Self.secret
            var run = try Self.run("min_gap = \"20ms\"", regions: regions, "0:1,20,50; +50; 0:-; \(touch)")
            var application = ApplicationFilter()
            application.minGap = .milliseconds(500)
            run.pipeline.switchRegions(isShown: { _ in true }, application, at: Timestamp(microseconds: 1_100_000)) {
                _ in
            }
            run.play("0:3,21,50; +50; 0:-")
            #expect(run.heard.filter { $0.contains("+0") } == ["0 +0 20,50"])
        }
    }

    @Test("min_gap: the panel's clock goes back")
    func clock() throws {
        let script = "0:1,50,50; +50; 0:1,51,50; +-40; 0:-; +40; 0:2,56,50; +10; 0:-; +200"
        let heard = try Self.play("min_gap = \"20ms\"", filter: "bridge = \"80ms\"", script)
        #expect(heard == ["0 +0 50,50", "50 ~0 51,50", "50 -0"])
    }

    @Test("min_gap: lifts in a private region make no bounces elsewhere")
    func privateLift() throws {
        let script = "0:1,52,50; +50; 0:-; +10; 0:2,48,50; +50; 0:-; +10; 0:3,52,50; 0:-"
        let heard = try Self.play("min_gap = \"60ms\"", regions: Self.screen + Self.secret, script)
        #expect(heard.filter { $0.contains("+") } == ["0 +0 52,50", "60 +0 48,50", "120 +0 52,50"])
    }

    // MARK: bridge

    @Test("bridge: a contact that the panel loses for a moment goes on for the application")
    func bridge() throws {
        let script = "0:1,50,50; +20; 0:-; +20; 0:2,51,50; +20; 0:2,60,50; +20; 0:-; +500"
        let filter = "bridge = \"40ms\""
        #expect(
            try Self.play("bridge = true", filter: filter, script)
                == ["0 +0 50,50", "40 ~0 51,50", "60 ~0 60,50", "120 -0"])
        let waiting = try Self.run("bridge = true", filter: filter, "0:1,50,50; +20; 0:-; +20")
        #expect(waiting.receivers == ["both"])
        #expect(
            try Self.play("", filter: filter, script).filter { !$0.contains("~") }
                == ["0 +0 50,50", "20 -0", "40 +0 51,50", "80 -0"])
    }

    @Test("bridge: the contact keeps its slot for the application when it lands in another one")
    func otherSlot() throws {
        let script = "0:1,50,50; +20; 0:-; +20; 1:2,51,50; +20; 1:2,60,50; +20; 0:3,10,10; 1:-; 0:-; +500"
        #expect(
            try Self.play("bridge = true", filter: "bridge = \"40ms\"", script)
                == ["0 +0 50,50", "40 ~0 51,50", "60 ~0 60,50", "80 +1 10,10", "120 -0", "120 -1"])
        var run = try Self.run("bridge = true", filter: "bridge = \"40ms\"", "0:1,50,50; +20")
        run.frame("0:-", "1:2,51,50")
        run.play("+10; 1:-; +500")
        #expect(run.heard == ["0 +0 50,50", "20 ~0 51,50", "70 -0"])
    }

    @Test("bridge: a contact that waits stays when a hidden contact lands in its slot")
    func reusedSlot() throws {
        let script = "0:1,50,50; +20; 0:-; +10; 0:2,5,5; +5; 1:3,51,50; +20; 0:-; 1:-; +500"
        let heard = try Self.play(
            "bridge = true\nfilter = true", filter: "bridge = \"40ms\", mask = [[0, 0, 10, 10]]", script)
        #expect(heard == ["0 +0 50,50", "35 ~0 51,50", "95 -0"])
    }

    @Test("bridge: a contact whose slot was reused while it waited still obeys filter")
    func reusedAndHidden() throws {
        let script = "0:1,50,50; +20; 0:-; +10; 0:2,5,5; +5; 1:3,51,50; +2000; 0:-; 1:-"
        let heard = try Self.play(
            "bridge = true\nfilter = true",
            filter: "bridge = \"40ms\", mask = [[0, 0, 10, 10]], max_contact_age = \"1s\"", script)
        #expect(heard == ["0 +0 50,50", "35 ~0 51,50", "1100 -0"])
    }

    @Test("bridge: two contacts that the panel loses land again in each other's slot")
    func exchangedSlots() throws {
        var run = try Self.run("bridge = true", filter: "bridge = \"40ms\"", "0:1,20,20; 1:2,80,80; +20; 1:-; +10")
        run.frame("0:-", "0:5,80,80", "1:6,20,20")
        #expect(run.heard == ["0 +0 20,20", "0 +1 80,80", "30 ~0 20,20", "30 ~1 80,80"])
        run.play("+10; 0:-; 1:-; +100")
        #expect(run.heard.suffix(2) == ["80 -0", "80 -1"])
    }

    @Test("bridge: a lift that waits comes before a landing elsewhere, which max_contacts does not hide")
    func elsewhere() throws {
        let heard = try Self.play(
            "bridge = true\nmax_contacts = 1", filter: "bridge = \"40ms\"",
            "0:1,50,50; +20; 0:-; +10; 1:2,80,80; +10; 1:-; +500")
        #expect(heard == ["0 +0 50,50", "30 -0", "30 +1 80,80", "80 -1"])
    }

    @Test("bridge: a gesture takes a contact whose lift waits", arguments: ["lift", "palm"])
    func consumed(cancel: String) throws {
        let regions = """
            [[region]]
            id = "screen"
            shape = "full"
            gestures = [{ type = "long_press", delay = "50ms", consume = true }]
            """
        let heard = try Self.play(
            "bridge = true", filter: "bridge = \"40ms\"", regions: regions, cancel: cancel, "0:1,50,50; +30; 0:-; +500")
        #expect(heard == (cancel == "lift" ? ["0 +0 50,50", "150 -0"] : ["0 +0 50,50", "50 palm 0", "50 -0"]))
    }

    @Test("without bridge, min_gap hides the rest of a contact that the panel has lost")
    func lost() throws {
        let script = "0:1,50,50; +20; 0:-; +20; 0:2,51,50; +20; 0:2,60,50; +20; 0:-; +500"
        #expect(
            try Self.play("min_gap = \"60ms\"", filter: "bridge = \"40ms\"", script) == ["0 +0 50,50", "20 -0"])
    }

    // MARK: Scenes

    @Test("filter: a scene changes it for contacts that land from then on", arguments: [false, true])
    func sceneOfFilter(isOn: Bool) throws {
        var run = try Self.run("filter = \(isOn)", filter: "max_contact_age = \"1s\"", "0:1,50,50; +10")
        var application = ApplicationFilter()
        application.filter = !isOn
        run.pipeline.switchRegions(isShown: { _ in true }, application, at: Timestamp(microseconds: 1_010_000)) { _ in }
        run.play("+1500; 0:-")
        #expect(run.heard == ["0 +0 50,50", isOn ? "1100 -0" : "1510 -0"])
    }

    @Test("a scene's keys win for contacts that land from then on")
    func scene() throws {
        var run = try Self.run("max_contacts = 1", "0:1,50,20; 1:2,50,80; 1:-")
        var application = ApplicationFilter()
        application.maxContacts = 2
        run.pipeline.switchRegions(isShown: { _ in true }, application, at: Timestamp(microseconds: 1_000_000)) { _ in }
        run.play("1:3,50,80; 1:-; 0:-")
        #expect(run.heard.filter { $0.contains("+") } == ["0 +0 50,20", "0 +1 50,80"])
    }
}
