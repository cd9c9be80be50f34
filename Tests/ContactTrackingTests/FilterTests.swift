// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

@Suite("Filter")
struct FilterTests {
    static let palms: [(String, String)] = [
        // A contact that becomes a palm is cancelled. The slot keeps its tool type for the next contact.
        (
            "id 1; x 5; syn 0; tool 2; syn 100; x 9; syn 150; id -1; syn 200; id 2; syn 500; id -1; syn 560",
            "0: 1 landed 5,0\n100: 1 cancelled(palm) 5,0"
        ),
        // A contact that lands as a palm is never reported. Then a finger lands in the same slot.
        ("id 1; tool 2; syn 0; id -1; syn 8; id 2; tool 0; syn 16", "16: 1 landed 0,0"),
        // A palm that becomes a finger is ignored until it lifts.
        ("id 1; tool 2; syn 0; tool 0; syn 8; id -1; syn 16", ""),
        // A contact is a palm if it is wider than 30 mm; a unit is 0.1 mm.
        ("id 1; major 300; syn 0; major 301; syn 8", "0: 1 landed 0,0\n8: 1 cancelled(palm) 0,0"),
        // The first width of a contact is ignored if another one follows.
        ("id 1; major 575; syn 0; major 5; syn 9; id -1; syn 80", "0: 1 landed 0,0\n80: 1 lifted 0,0"),
        ("id 1; major 575; syn 0; x 5; syn 9", "0: 1 landed 0,0\n9: 1 cancelled(palm) 0,0"),
        (
            "id 1; major 575; syn 0; id -1; syn 29; id 2; major 3; syn 50",
            "0: 1 landed 0,0\n29: 1 lifted 0,0\n50: 2 landed 0,0"
        ),
        // The first width is used after 30 ms if there is no other report.
        ("id 1; major 575; syn 0; advance 29", "0: 1 landed 0,0"),
        ("id 1; major 575; syn 0; advance 30", "0: 1 landed 0,0\n30: 1 cancelled(palm) 0,0"),
        ("id 1; major 575; syn 0; major 5; syn 9; advance 100", "0: 1 landed 0,0"),
        // A new contact has the width that was last reported in its slot.
        (
            "id 1; major 575; syn 0; id -1; syn 20; id 2; syn 100; advance 130",
            "0: 1 landed 0,0\n20: 1 lifted 0,0\n100: 2 landed 0,0\n130: 2 cancelled(palm) 0,0"
        ),
        // A pen is treated like a finger.
        ("id 1; tool 1; syn 0", "0: 1 landed 0,0"),
        // A contact that hovers above the glass has not landed, or has lifted.
        (
            "id 0; x 5; distance 1; syn 0; x 6; distance 0; syn 100; distance 1; syn 160; id -1; syn 200",
            "100: 1 landed 6,0\n160: 1 lifted 6,0"
        ),
        ("id 0; distance 1; syn 0; x 6; syn 700; id -1; syn 900", ""),
        // An ignored contact that hovers has lifted; when it touches again, it is a new contact.
        ("id 0; tool 2; syn 0; distance 3; syn 8; distance 0; tool 0; syn 16", "16: 1 landed 0,0"),
    ]

    @Test(arguments: palms)
    func palmsAndHover(script: String, transcript: String) throws {
        #expect(try TrackerScript.run(script) == transcript)
    }

    @Test func palmWaitsForNothing() throws {
        var run = try TrackerScript()
        try run.play("id 1; syn 0; tool 2; syn 8")
        #expect(run.tracker.nextDeadline == nil)
    }

    @Test func palmMayBeAFinger() throws {
        let filter = FilterSettings(palmCancels: false, maxTouch: nil, storm: nil)
        #expect(try TrackerScript.run("id 1; tool 2; major 999; syn 0", filter: filter) == "0: 1 landed 0,0")
    }

    /// If the size of the panel is unknown, widths in millimetres are unknown too, so no contact is a palm.
    @Test func widthNeedsAKnownSize() throws {
        var device = TrackerScript.panel
        device.axes[0x35]?.resolution = 0
        #expect(try TrackerScript.run("id 1; major 999; syn 0", device) == "0: 1 landed 0,0")
        // The axis of the width has its own resolution, 8 units per millimetre.
        device.axes[0x30]?.resolution = 8
        #expect(try TrackerScript.run("id 1; major 241; syn 0; advance 30", device).hasSuffix("cancelled(palm) 0,0"))
        // At 1 unit per millimetre, the maximum of the axis would be 999 mm, which is not credible.
        device.axes[0x30]?.resolution = 1
        #expect(try TrackerScript.run("id 1; major 241; syn 0; advance 30", device) == "0: 1 landed 0,0")
    }

    @Test(
        "the filter that hides a contact is known until the contact lifts",
        arguments: [
            ("id 1; tool 2; x 7; syn 0", [ContactFilter.palm]), ("id 1; tool 2; x 7; syn 0; id -1; syn 9", []),
            ("id 1; x 7; major 301; syn 0", []), ("id 1; x 7; major 301; syn 0; advance 30", [.maxTouch]),
            ("id 1; x 7; y 995; syn 0", [.mask]), ("id 1; x 7; syn 0; advance 60000", [.maxContactAge]),
            ("id 1; syn 0; id -1; syn 1; id 2; syn 2; id -1; syn 3; id 3; x 7; syn 4", [.storm]),
            // A contact that was down when the device was opened, or that was cancelled, is not hidden by a filter.
            ("initial 0:1,7,0; advance 9", []), ("id 1; x 7; syn 0; cancel 9", []),
        ])
    func filtered(script: String, expected: [ContactFilter]) throws {
        let filter = FilterSettings(
            masks: [Rectangle(minX: 0, minY: 99, maxX: 100, maxY: 100)], storm: .init(contactsPerSecond: 2))
        var run = try TrackerScript(filter: filter)
        try run.play(script)
        var contacts: [FilteredContact] = []
        run.tracker.copyFiltered(into: &contacts)
        #expect(contacts.map(\.filter) == expected)
        #expect(contacts.allSatisfy { $0.slot == 0 && ($0.position.x * 10).rounded() == 7 })
    }

    @Test("a frame in which only hidden contacts change is only counted as a filtered change")
    func filteredChanges() throws {
        var run = try TrackerScript()
        for (script, expected) in [("id 1; tool 2; syn 0", true), ("syn 8", false), ("id -1; syn 16", true)] {
            try run.play(script)
            let hasChange = run.tracker.hasFilteredChange
            #expect(hasChange == expected)
            #expect(run.transcript.isEmpty)
        }
    }

    /// The mask includes 0 mm but not 2 mm, which is 20 units.
    @Test(arguments: [(19, false), (20, true)])
    func maskHidesWhatLandsInIt(y: Int, isShown: Bool) throws {
        let filter = FilterSettings(masks: [Rectangle(minX: 0, minY: 0, maxX: 100, maxY: 2)], storm: nil)
        let transcript = try TrackerScript.run(
            "id 1; y \(y); syn 0; y 500; syn 8; id -1; syn 16; id 2; syn 24", filter: filter)
        #expect(transcript.hasPrefix("0: 1 landed 0,20") == isShown)
        #expect(transcript.hasSuffix("24: \(isShown ? 2 : 1) landed 0,500"))
    }

    /// A contact that moves into the mask is still reported.
    @Test func maskDoesNotTakeWhatMovesIntoIt() throws {
        let filter = FilterSettings(masks: [Rectangle(minX: 0, minY: 0, maxX: 100, maxY: 2)], storm: nil)
        #expect(
            try TrackerScript.run("id 1; y 30; syn 0; y 5; syn 8", filter: filter) == "0: 1 landed 0,30\n8: 1 moved 0,5"
        )
    }

    @Test func contactThatNeverLifts() throws {
        let filter = FilterSettings(maxContactAge: .milliseconds(1000), storm: nil)
        var run = try TrackerScript(filter: filter)
        #expect(run.tracker.nextDeadline == nil)
        try run.play("id 1; syn 100; slot 1; id 2; syn 400")
        #expect(run.tracker.nextDeadline == Timestamp(microseconds: 1_100_000))
        try run.play("advance 1099")
        #expect(run.transcript.count == 2)
        try run.play("advance 1100")
        #expect(run.transcript.last == "1100: 1 cancelled(syncLost) 0,0")
        #expect(run.tracker.nextDeadline == Timestamp(microseconds: 1_400_000))
        // The cancelled contact is ignored until it lifts; the other one continues.
        try run.play("slot 0; x 5; slot 1; x 6; syn 1200; slot 0; id -1; syn 1300")
        #expect(run.transcript.last == "1200: 2 moved 6,0")
        // A late call fires the deadline at its own time.
        try run.play("slot 0; id 3; syn 1350; advance 1500")
        #expect(run.transcript.suffix(2) == ["1350: 3 landed 5,0", "1400: 2 cancelled(syncLost) 6,0"])
        try run.play("slot 0; id -1; syn 1600")
        #expect(run.tracker.nextDeadline == nil)
    }

    /// A frame after the deadline cancels the contact even if `advance` was not called.
    @Test func frameAfterTheAge() throws {
        let filter = FilterSettings(maxContactAge: .milliseconds(1000), storm: nil)
        #expect(
            try TrackerScript.run("id 1; syn 0; x 5; syn 999; x 6; syn 1000", filter: filter)
                == "0: 1 landed 0,0\n999: 1 moved 5,0\n1000: 1 cancelled(syncLost) 6,0")
    }

    private static let threeInASecond = FilterSettings(
        storm: FilterSettings.Storm(contactsPerSecond: 3, quiet: .milliseconds(2000)))

    /// Three contacts land, and a fourth one `last` ms after the first.
    @Test(arguments: [(999, true), (1000, false)])
    func stormIsMoreThanALimitInASecond(last: Int, isStorm: Bool) throws {
        var run = try TrackerScript(filter: Self.threeInASecond)
        try run.play("id 1; syn 0; slot 1; id 2; syn 10; slot 2; id 3; syn 20; slot 3; id 4; syn \(last)")
        let storm = "\(last): 1 cancelled(syncLost) 0,0, 2 cancelled(syncLost) 0,0, 3 cancelled(syncLost) 0,0"
        #expect(run.transcript.last == (isStorm ? storm : "1000: 4 landed 0,0"))
        #expect(run.tracker.isStorming(at: Timestamp(microseconds: Int64(last) * 1000)) == isStorm)
    }

    @Test func stormEndsWhenItIsQuiet() throws {
        let storm = "id 1; id -1; slot 1; id 2; slot 2; id 3; slot 3; id 4; slot 4; id 5; syn 0;"
        // More than three contacts land in the same frame, and none is reported.
        #expect(try TrackerScript.run(storm, filter: Self.threeInASecond).isEmpty)
        // Each landing prolongs the storm. Contacts that are down during the storm are ignored until they lift.
        let later =
            storm + "slot 5; id 6; syn 1999; slot 6; id 7; syn 3998; slot 5; x 9; syn 5997; slot 7; id 8; syn 5998"
        #expect(try TrackerScript.run(later, filter: Self.threeInASecond) == "5998: 4 landed 0,0")
    }

    /// A storm may begin in a frame in which another contact moves.
    @Test func stormTakesMovedContacts() throws {
        let script = "id 1; syn 0; x 5; slot 1; id 2; slot 2; id 3; slot 3; id 4; syn 8"
        #expect(
            try TrackerScript.run(script, filter: Self.threeInASecond)
                == "0: 1 landed 0,0\n8: 1 cancelled(syncLost) 5,0")
    }
}
