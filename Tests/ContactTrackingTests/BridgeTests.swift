// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

@Suite("Contacts that a panel loses for a moment")
struct BridgeTests {
    private static func filter(_ masks: [Rectangle] = [], storm: FilterSettings.Storm? = nil) -> FilterSettings {
        FilterSettings(masks: masks, maxContactAge: .milliseconds(1000), storm: storm, bridge: .milliseconds(80))
    }

    static let bridges: [(String, String)] = [
        // A contact that lands again is the same contact. A lift is reported at its deadline.
        (
            "id 1; x 100; syn 0; id -1; syn 50; id 2; x 130; syn 75; id -1; syn 100; advance 179; advance 180",
            "0: 1 landed 100,0\n75: 1 moved 130,0\n180: 1 lifted 130,0"
        ),
        // A contact may lift and land again in the same frame and at the same position.
        ("id 1; x 100; syn 0; id -1; id 2; syn 10", "0: 1 landed 100,0\n10: 1 moved 100,0"),
        // A movement in the frame of the lift is not delayed.
        (
            "id 1; x 100; syn 0; x 105; id -1; syn 10; advance 90",
            "0: 1 landed 100,0\n10: 1 moved 105,0\n90: 1 lifted 105,0"
        ),
        // A gap of exactly 80 ms is too long, and a distance of more than 3 mm is too far.
        (
            "id 1; x 100; syn 0; id -1; syn 50; advance 130; id 2; syn 130",
            "0: 1 landed 100,0\n130: 1 lifted 100,0\n130: 2 landed 100,0"
        ),
        (
            "id 1; x 100; syn 0; id -1; syn 50; id 2; x 131; syn 75",
            "0: 1 landed 100,0\n75: 1 lifted 100,0, 2 landed 131,0"
        ),
        // If another finger lands elsewhere, the lift is reported first. If another finger moves, the lift is still
        // held.
        (
            "id 1; x 100; syn 0; id -1; syn 50; slot 1; id 2; x 500; syn 60; slot 0; id 3; syn 70",
            "0: 1 landed 100,0\n60: 1 lifted 100,0, 2 landed 500,0\n70: 3 landed 100,0"
        ),
        (
            "id 1; x 100; slot 1; id 2; x 500; syn 0; slot 0; id -1; syn 50; slot 1; x 510; syn 60; slot 0; id 3; syn 70",
            "0: 1 landed 100,0, 2 landed 500,0\n60: 2 moved 510,0\n70: 1 moved 100,0"
        ),
        // A lift that has been reported is final, even if it is nearer than the one that is held.
        (
            "id 1; x 100; syn 0; id -1; syn 10; slot 1; id 2; x 150; syn 20; x 125; syn 30; id -1; syn 40; "
                + "id 3; x 110; syn 50",
            "0: 1 landed 100,0\n20: 1 lifted 100,0, 2 landed 150,0\n30: 2 moved 125,0\n50: 2 moved 110,0"
        ),
        // Two contacts are lost in the same frame and come back in each other's slots.
        (
            "id 1; x 100; slot 1; id 2; x 120; syn 0; id -1; slot 0; id -1; syn 50; "
                + "slot 0; id 3; x 125; slot 1; id 4; x 95; syn 70; slot 0; id -1; syn 80; advance 160",
            "0: 1 landed 100,0, 2 landed 120,0\n70: 1 moved 95,0, 2 moved 125,0\n160: 2 lifted 125,0"
        ),
        // Two contacts are lost at one point, and one comes back: the older one goes on, whatever its slot.
        (
            "id 1; x 100; slot 1; id 2; x 500; syn 0; x 100; syn 10; id -1; slot 0; id -1; syn 50; id 3; syn 70",
            "0: 1 landed 100,0, 2 landed 500,0\n10: 2 moved 100,0\n70: 1 moved 100,0"
        ),
        (
            "slot 1; id 1; x 100; slot 0; id 2; x 500; syn 0; x 100; syn 10; id -1; slot 1; id -1; syn 50; id 3; syn 70",
            "0: 1 landed 100,0, 2 landed 500,0\n10: 2 moved 100,0\n70: 1 moved 100,0"
        ),
        // Two contacts land as far from where one was lost: the first of them continues it, whatever its slot.
        (
            "id 1; x 100; syn 0; id -1; syn 50; id 2; x 75; slot 1; id 3; x 125; syn 70",
            "0: 1 landed 100,0\n70: 1 moved 75,0, 2 landed 125,0"
        ),
        (
            "id 1; x 100; syn 0; id -1; syn 50; slot 1; id 2; x 75; slot 0; id 3; x 125; syn 70",
            "0: 1 landed 100,0\n70: 1 moved 75,0, 2 landed 125,0"
        ),
        // One of two contacts comes back later than the other.
        (
            "id 1; x 100; slot 1; id 2; x 500; syn 0; id -1; slot 0; id -1; syn 50; id 3; syn 60; slot 1; id 4; syn 70",
            "0: 1 landed 100,0, 2 landed 500,0\n60: 1 moved 100,0\n70: 2 moved 500,0"
        ),
        // A palm that lands has no effect, wherever it lands.
        (
            "id 1; x 100; syn 0; id -1; syn 50; slot 1; id 2; x 500; tool 2; syn 60; slot 0; id 3; syn 70",
            "0: 1 landed 100,0\n70: 1 moved 100,0"
        ),
        (
            "id 1; x 100; syn 0; id -1; syn 50; id 2; tool 2; syn 70; advance 130",
            "0: 1 landed 100,0\n130: 1 lifted 100,0"
        ),
        // A contact that is ignored is not continued.
        (
            "id 1; x 100; syn 0; id -1; id 2; syn 10; tool 2; syn 20; id -1; syn 30; id 3; tool 0; syn 40",
            "0: 1 landed 100,0\n10: 1 moved 100,0\n20: 1 cancelled(palm) 100,0\n40: 2 landed 100,0"
        ),
        // The first size after the landing is ignored if another one follows.
        (
            "id 1; x 100; syn 0; id -1; syn 50; id 2; major 575; syn 70; major 5; syn 80",
            "0: 1 landed 100,0\n70: 1 moved 100,0"
        ),
        (
            "id 1; x 100; syn 0; id -1; syn 50; id 2; major 575; syn 70; advance 100",
            "0: 1 landed 100,0\n70: 1 moved 100,0\n100: 1 cancelled(palm) 100,0"
        ),
        // The contact has slid into a mask.
        (
            "id 1; y 500; syn 0; y 5; syn 10; id -1; syn 20; id 2; syn 40",
            "0: 1 landed 0,500\n10: 1 moved 0,5\n40: 1 moved 0,5"
        ),
        // The age of the contact continues to increase.
        (
            "id 1; x 100; syn 0; id -1; syn 950; id 2; syn 990; advance 1000",
            "0: 1 landed 100,0\n990: 1 moved 100,0\n1000: 1 cancelled(syncLost) 100,0"
        ),
        // The contact hovers for a moment.
        (
            "id 1; x 100; syn 0; distance 1; syn 50; distance 0; syn 70; distance 1; syn 90; advance 170",
            "0: 1 landed 100,0\n70: 1 moved 100,0\n170: 1 lifted 100,0"
        ),
        // Cancels are not delayed.
        ("id 1; x 100; syn 0; id -1; syn 50; cancel 60", "0: 1 landed 100,0\n60: 1 cancelled(deviceRemoved) 100,0"),
        ("id 1; x 100; syn 0; id 2; syn 50", "0: 1 landed 100,0\n50: 1 cancelled(syncLost) 100,0, 2 landed 100,0"),
        // Events were lost while the contact came back or vanished.
        (
            "id 1; x 100; syn 0; id -1; syn 50; sync 70 0:2,105,0; id -1; syn 80; sync 90; advance 160",
            "0: 1 landed 100,0\n70: 1 resynchronized 105,0\n160: 1 lifted 105,0"
        ),
        ("id 1; x 100; syn 0; sync 50; advance 500", "0: 1 landed 100,0\n50: 1 cancelled(syncLost) 100,0"),
        ("id 1; x 100; syn 0; id -1; syn 50; drop 55; syn 60", "0: 1 landed 100,0\n60: 1 cancelled(syncLost) 100,0"),
    ]

    @Test(arguments: bridges)
    func bridge(script: String, transcript: String) throws {
        let filter = Self.filter([Rectangle(minX: 0, minY: 0, maxX: 5, maxY: 2)])
        var run = try TrackerScript(filter: filter)
        try run.play(script)
        #expect(run.transcript.joined(separator: "\n") == transcript)
        // Neither a contact nor a deadline is left.
        try run.play("cancel 5000")
        #expect(run.tracker.contactCount == 0)
        #expect(run.tracker.nextDeadline == nil)
    }

    @Test func singleTouch() throws {
        let script = "BTN 1; X 100; Y 0; syn 0; BTN 0; syn 50; BTN 1; syn 75; BTN 0; syn 100; advance 180"
        let transcript = try TrackerScript.run(script, TrackerScript.resistive, filter: Self.filter())
        #expect(transcript == "0: 1 landed 100,0\n75: 1 moved 100,0\n180: 1 lifted 100,0")
    }

    /// A landing that continues a contact is not counted as part of a storm. A storm ends contacts whose lifts are
    /// held.
    @Test func storm() throws {
        let filter = Self.filter(storm: .init(contactsPerSecond: 2))
        let flickers = (1...20).map { "id -1; syn \($0 * 40); id \($0 + 1); syn \($0 * 40 + 20); " }.joined()
        let script = "id 1; x 100; syn 0; " + flickers + "slot 1; id 50; x 500; syn 830; slot 0; id -1; syn 840; "
        let storm = script + "slot 2; id 51; x 900; tool 0; syn 850; advance 2000"
        #expect(
            try TrackerScript.run(storm, filter: filter).hasSuffix(
                "850: 1 cancelled(syncLost) 100,0, 2 cancelled(syncLost) 500,0"))
    }

    /// While its lift is held, a contact is still down for the engine, and is still listed.
    @Test func contacts() throws {
        var run = try TrackerScript(filter: Self.filter())
        try run.play("id 1; x 100; syn 0; id -1; syn 50")
        #expect(run.tracker.contactCount == 1)
        #expect(run.tracker.contacts.map(\.id.rawValue) == [1])
        #expect(run.tracker.nextDeadline == Timestamp(microseconds: 130_000))
        try run.play("advance 130")
        #expect(run.tracker.contactCount == 0)
        #expect(run.tracker.contacts.isEmpty)
    }

    /// Landings within 80 ms and 3 mm are counted, whether or not `bridge` continues the contact.
    @Test(arguments: [
        ("id 1; x 100; syn 0; id -1; syn 50; id 2; syn 129; id -1; syn 140; id 3; syn 150", 2),
        ("id 1; x 100; syn 0; id -1; syn 50; id 2; syn 130", 0),
        ("id 1; x 100; syn 0; id -1; syn 50; id 2; x 131; syn 60", 0),
        // Another finger has landed in the meantime.
        ("id 1; x 100; syn 0; id -1; syn 50; slot 1; id 2; x 500; syn 60; slot 0; id 3; syn 70", 1),
        // A contact that was cancelled has not lifted.
        ("id 1; x 100; syn 0; id 2; syn 50", 0),
    ])
    func flickers(script: String, count: Int64) throws {
        for bridge in [nil, Interval.milliseconds(30), .milliseconds(80)] {
            var run = try TrackerScript(filter: FilterSettings(storm: nil, bridge: bridge))
            for statement in script.split(separator: ";") {
                // The pipeline also does this before each event.
                if let time = statement.split(separator: " ").last, statement.contains("syn") {
                    try run.play("advance \(time)")
                }
                try run.play(String(statement))
            }
            let counts = run.tracker.counts.open
            #expect(counts.flickers + counts.bridged == count, "\(bridge as Any)")
            if bridge == nil { #expect(counts.bridged == 0) }
        }
    }

    /// Within 80 ms, there are more lifts than slots.
    @Test func manyLifts() throws {
        var run = try TrackerScript()
        for id in 0..<200 {
            try run.play("slot \(id % 10); id \(id); x \(id * 40 % 1000); syn \(id); id -1; syn \(Double(id) + 0.5)")
        }
        #expect(run.transcript.count == 400)
        let counts = run.tracker.counts.open
        #expect(counts.landed == 200)
    }
}
