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

        func guardWake(_ run: inout TrackerScript) {
            run.tracker.wake = WakeGuard(WakeSettings()) { [self] in
                reads += 1
                return isOff ? .display : nil
            }
        }
    }

    private struct Outcome: Equatable {
        var frames: [String]
        var hidden: [ContactFilter]
        var reads: Int
    }

    /// Plays a script whose first part, up to a `|`, has the display off, and the second one has it on.
    private func play(_ script: String, filter: FilterSettings = FilterSettings(storm: nil)) throws -> Outcome {
        let display = Display()
        var run = try TrackerScript(filter: filter)
        display.guardWake(&run)
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

    @Test("looks at the display only when a contact lands and gestures have no other one")
    func reads() throws {
        let lit = try play("| id 1; syn 0; x 5; syn 5; slot 1; id 2; syn 9; slot 0; id -1; syn 20; id 3; syn 30")
        #expect(lit.frames.count == 5)
        #expect(lit.reads == 1)
        let display = Display()
        var run = try TrackerScript()
        display.guardWake(&run)
        display.isOff = false
        try run.play("id 1; syn 0")
        display.isOff = true
        try run.play("slot 1; id 2; syn 10")
        #expect(run.transcript == ["0: 1 landed 0,0", "10: 2 landed 0,0"])
        #expect(display.reads == 1)
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
        #expect(try play(script).frames == [])
        #expect(try play(script + "; id 4; syn 180000").frames == ["180000: 1 landed 0,0"])
    }
}
