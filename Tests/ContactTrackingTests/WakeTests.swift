// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

@Suite("Touches that wake the display")
struct WakeTests {
    /// A display that a test switches, and that counts how often it is looked at.
    private final class Display {
        var isOff = true
        var reads = 0
        var reports: [Timestamp?] = []

        func guardWake(_ run: inout TrackerScript, patience: Interval? = WakeSettings.usualPatience) {
            var settings = WakeSettings()
            settings.patience = patience
            run.tracker.wake = WakeGuard(settings) { [self] in
                reads += 1
                return isOff ? .display : nil
            } report: { [self] in
                reports.append($0?.since)
            }
        }
    }

    private struct Outcome: Equatable {
        var frames: [String]
        var hidden: [ContactFilter]
        var reads: Int
    }

    /// Plays a script whose first part, up to a `|`, has the display off, and the second one has it on.
    private func play(
        _ script: String, patience: Interval? = WakeSettings.usualPatience,
        filter: FilterSettings = FilterSettings(storm: nil)
    ) throws -> Outcome {
        let display = Display()
        var run = try TrackerScript(filter: filter)
        display.guardWake(&run, patience: patience)
        for part in script.split(separator: "|", omittingEmptySubsequences: false) {
            try run.play(String(part))
            display.isOff = false
        }
        var contacts: [FilteredContact] = []
        run.tracker.copyFiltered(into: &contacts)
        return Outcome(frames: run.transcript, hidden: contacts.map(\.filter), reads: display.reads)
    }

    @Test(
        "hides what lands while the display is off, until all have lifted and 300 ms have passed",
        arguments: [
            ("id 1; x 7; syn 0", [], [ContactFilter.wake], 1),
            // The second contact belongs to the wake, although the display is on by then.
            ("id 1; syn 0 |; slot 1; id 2; syn 50; slot 0; id -1; syn 60", [], [.wake], 1),
            ("id 1; syn 0 |; id -1; syn 100; id 2; syn 399", [], [.wake], 1),
            ("id 1; syn 0 |; id -1; syn 100; id 2; syn 400", ["400: 1 landed 0,0"], [], 2),
            // A contact that lands before the end of the wake prolongs it.
            ("id 1; syn 0 |; id -1; syn 100; id 2; syn 300; id -1; syn 350; id 3; syn 600", [], [.wake], 1),
            // The display is still off.
            ("id 1; syn 0; id -1; syn 100; id 2; syn 400 |", [], [.wake], 2),
            // One contact takes the slot of another one within a frame.
            ("id 1; syn 0 |; id 2; syn 500", [], [.wake], 1),
            ("id 1; id -1; id 2; syn 0", [], [.wake], 1),
            // Lost events.
            ("sync 0 0:1,5,5 2:2,9,9 |; sync 9 0:1,5,5", [], [.wake], 1),
        ])
    func off(script: String, frames: [String], hidden: [ContactFilter], reads: Int) throws {
        #expect(try play(script) == Outcome(frames: frames, hidden: hidden, reads: reads))
    }

    @Test("looks at the display at each landing")
    func reads() throws {
        let lit = try play("| id 1; syn 0; x 5; syn 5; slot 1; id 2; syn 9; slot 0; id -1; syn 20; id 3; syn 30")
        #expect(lit.frames.count == 5)
        #expect(lit.reads == 3)
    }

    @Test("a contact that has landed while the display was on goes on, but a second one beside it wakes the display")
    func second() throws {
        let display = Display()
        var run = try TrackerScript()
        display.guardWake(&run)
        display.isOff = false
        try run.play("id 1; syn 0")
        display.isOff = true
        try run.play("slot 1; id 2; syn 10")
        let reason = run.tracker.takeWake()
        #expect(reason == .display)
        display.isOff = false
        try run.play("slot 0; x 50; syn 20; slot 2; id 3; syn 30; slot 1; id -1; slot 2; id -1; syn 40")
        try run.play("slot 1; id 4; syn 339; id -1; syn 339; id 5; syn 639; slot 0; id -1; syn 700")
        #expect(
            run.transcript == [
                "0: 1 landed 0,0", "20: 1 moved 50,0", "639: 2 landed 0,0", "700: 1 lifted 50,0",
            ])
    }

    @Test("palms, masks and storms are kept from everybody, but begin no wake")
    func filters() throws {
        let filter = FilterSettings(
            masks: [Rectangle(minX: 0, minY: 99, maxX: 100, maxY: 100)], storm: .init(contactsPerSecond: 2))
        for (script, expected, wakes) in [
            ("id 1; tool 2; syn 0", ContactFilter.palm, 0), ("id 1; y 995; syn 0", .mask, 0), ("id 1; syn 0", .wake, 1),
            ("id 1; syn 0; id -1; syn 1; id 2; syn 400; id -1; syn 401; id 3; syn 800", .storm, 2),
        ] {
            let display = Display()
            var run = try TrackerScript(filter: filter)
            var begun = 0
            display.guardWake(&run)
            for statement in script.split(separator: ";") {
                try run.play(String(statement))
                let reason = run.tracker.takeWake()
                if reason != nil { begun += 1 }
            }
            var contacts: [FilteredContact] = []
            run.tracker.copyFiltered(into: &contacts)
            #expect(contacts.map(\.filter) == [expected], "\(script)")
            let isDark = run.tracker.isDark(0)
            #expect(isDark, "\(script)")
            #expect(begun == wakes, "\(script)")
        }
    }

    /// The panel has missed the lift of the contact that woke the display.
    @Test("a contact that stays down longer than max_contact_age no longer counts")
    func stuck() throws {
        let script = "id 1; syn 0 |; slot 1; id 2; syn 59999; id -1; syn 60100; id 3; syn 119998; id -1; syn 120000"
        #expect(try play(script, patience: nil).frames == [])
        #expect(try play(script + "; id 4; syn 180000", patience: nil).frames == ["180000: 1 landed 0,0"])
    }

    // MARK: giving up

    /// Looks at the display when it is due, and returns how often.
    private func look(_ run: inout TrackerScript, until seconds: Int64) -> Int64 {
        var looks: Int64 = 0
        while run.tracker.nextLook <= Timestamp(microseconds: seconds * 1_000_000) {
            run.tracker.lookAtDisplay(at: run.tracker.nextLook)
            looks += 1
        }
        return looks
    }

    @Test("a contact that stays down, or one that follows another forever, does not keep a lit panel from working")
    func resting() throws {
        let resting = "id 1; syn 0 |; slot 1; id 2; syn 29999; id -1; syn 29999; id 3; syn 30000"
        #expect(try play(resting).frames == ["30000: 1 landed 0,0"])
        let drumming = (1...400).map { "id -1; syn \($0 * 100 - 50); id \($0 + 1); syn \($0 * 100)" }
        let frames = try play((["id 1; syn 0 |"] + drumming).joined(separator: "; ")).frames
        #expect(frames.first == "30000: 1 landed 0,0")
    }

    @Test("gives up if the display never comes on, until it has been on", arguments: [5, nil] as [Int64?])
    func neverOn(seconds: Int64?) throws {
        let display = Display()
        var run = try TrackerScript(filter: FilterSettings(storm: nil))
        display.guardWake(&run, patience: seconds.map { .milliseconds($0 * 1000) })
        let long = seconds ?? 30
        try run.play("id 1; syn 0; id -1; syn 100")
        var looks = look(&run, until: long - 1)
        #expect(looks == long - 1)
        try run.play("id 2; syn \(long * 1000 - 1); id -1; syn \(long * 1000 - 1)")
        #expect(run.transcript == [])
        #expect(display.reports == [])
        looks = look(&run, until: long)
        #expect(looks == 1)
        #expect(display.reports == [Timestamp(microseconds: 0)])
        let nextLook = run.tracker.nextLook
        #expect(nextLook == .never)
        // The second contact was hidden just before; its wake has ended, too.
        try run.play("id 3; syn \(long * 1000); id -1; syn \(long * 1000 + 10); id 4; syn 90000; id -1; syn 90010")
        #expect(run.transcript.count == (seconds == nil ? 0 : 4), "\(run.transcript)")
        #expect(display.reports.count == 1)
        display.isOff = false
        run.tracker.lookAtDisplay(at: Timestamp(microseconds: 100_000_000))
        #expect(display.reports == [Timestamp(microseconds: 0), nil])
        display.isOff = true
        let before = run.transcript.count
        try run.play("id 5; syn 110000; id -1; syn 110010")
        #expect(run.transcript.count == before)
        // The display has been on, so the guard is patient again.
        try run.play("id 6; syn \(110_000 + long * 1000 - 1)")
        #expect(run.transcript.count == before)
    }

    @Test("a display that comes on between two touches is not forgotten")
    func onBetween() throws {
        let display = Display()
        var run = try TrackerScript(filter: FilterSettings(storm: nil))
        display.guardWake(&run)
        try run.play("id 1; syn 0; id -1; syn 100")
        display.isOff = false
        let looks = look(&run, until: 60)
        #expect(looks == 1)
        display.isOff = true
        try run.play("id 2; syn 3600000")
        #expect(run.transcript == [])
        #expect(display.reports == [])
    }

    @Test("does not give up in a dark scene, which somebody has chosen")
    func scene() throws {
        var run = try TrackerScript(filter: FilterSettings(storm: nil))
        run.tracker.wake = WakeGuard(WakeSettings()) { .scene }
        for second in stride(from: 0, to: 100_000, by: 1000) {
            try run.play("id 1; syn \(second); id -1; syn \(second + 9)")
        }
        #expect(run.transcript == [])
        let nextLook = run.tracker.nextLook
        #expect(nextLook == .never)
    }
}
