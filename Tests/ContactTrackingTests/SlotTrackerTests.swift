// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Slot tracker")
struct SlotTrackerTests {
    static let transitions: [(String, String)] = [
        // A contact lands, moves and lifts.
        (
            "slot 0; id 1; x 400; y 600; syn 0; x 410; syn 8; id -1; syn 16",
            "0: 1 landed 400,600\n8: 1 moved 410,600\n16: 1 lifted 410,600"
        ),
        // The kernel does not repeat unchanged values, so the second contact has the x of the first.
        (
            "id 1; x 400; y 600; syn 0; id -1; syn 60; id 2; y 700; syn 100",
            "0: 1 landed 400,600\n60: 1 lifted 400,600\n100: 2 landed 400,700"
        ),
        // A contact that moves and lifts in one frame has a single change, at its last position.
        ("id 1; x 1; y 1; syn 0; x 5; id -1; syn 8", "0: 1 landed 1,1\n8: 1 lifted 5,1"),
        // Positions after the lift apply to the slot, not to the contact.
        ("id 1; x 1; y 1; syn 0; id -1; x 5; syn 8", "0: 1 landed 1,1\n8: 1 lifted 1,1"),
        // A contact lifts and another lands in one frame.
        (
            "id 1; x 1; y 1; syn 0; id -1; id 2; x 9; syn 8",
            "0: 1 landed 1,1\n8: 1 lifted 1,1, 2 landed 9,1"
        ),
        // The id changes without a lift.
        (
            "id 1; x 1; y 1; syn 0; id 2; x 9; syn 8; id -1; syn 16",
            "0: 1 landed 1,1\n8: 1 cancelled(syncLost) 1,1, 2 landed 9,1\n16: 2 lifted 9,1"
        ),
        // A contact that lands and lifts in one frame is not reported.
        ("id 1; x 1; y 1; id -1; syn 0", ""),
        ("id 1; syn 0; id -1; id 2; id -1; syn 8", "0: 1 landed 0,0\n8: 1 lifted 0,0"),
        ("id 1; syn 0; id 2; id 3; syn 8", "0: 1 landed 0,0\n8: 1 cancelled(syncLost) 0,0, 2 landed 0,0"),
        // A repeated id has no effect; every negative id is a lift.
        ("id 1; syn 0; id 1; syn 8; id -7; syn 16; id -1; syn 24", "0: 1 landed 0,0\n16: 1 lifted 0,0"),
        // The slot stays selected across frames. Contacts are numbered in the order of landings, not of slots.
        (
            "slot 5; id 1; x 5; syn 0; slot 2; id 2; x 2; syn 8; x 3; slot 5; x 6; syn 16",
            "0: 1 landed 5,0\n8: 2 landed 2,0\n16: 1 moved 6,0, 2 moved 3,0"
        ),
        // Changes are ordered by id, not by slot.
        (
            "slot 3; id 1; syn 0; slot 1; id 2; syn 8; slot 1; id -1; slot 3; id 9; syn 16",
            "0: 1 landed 0,0\n8: 2 landed 0,0\n16: 1 cancelled(syncLost) 0,0, 2 lifted 0,0, 3 landed 0,0"
        ),
        // Within a frame, the contact with the lower tracking id lands first; tracking ids wrap after 16 bits.
        ("slot 0; id 9; x 9; slot 1; id 8; x 8; syn 0", "0: 1 landed 8,0, 2 landed 9,0"),
        ("slot 0; id 0; x 9; slot 1; id 65535; x 8; syn 0", "0: 1 landed 8,0, 2 landed 9,0"),
        // Positions of a slot without a contact cause no change.
        ("slot 3; x 800; y 800; syn 0; slot 0; id 1; x 1; y 1; syn 10", "10: 1 landed 1,1"),
        // Events of a slot that does not exist are ignored.
        ("slot 10; id 1; x 5; syn 0; slot -1; id 2; syn 8; slot 9; id 3; x 7; syn 16", "16: 1 landed 7,0"),
        // A frame without changes is not reported.
        ("id 1; x 5; syn 0; x 5; syn 8; syn 16; major 4; syn 24", "0: 1 landed 5,0\n8: 1 moved 5,0"),
        // The kernel has split a long frame in two.
        ("id 1; x 5; cut 0; y 6; syn 0", "0: 1 landed 5,6"),
        // BTN_TOUCH and emulated single-touch axes are ignored.
        ("BTN 1; syn 0; id 1; X 700; Y 700; syn 8; BTN 0; syn 16; id -1; syn 24", "8: 1 landed 0,0\n24: 1 lifted 0,0"),
        // Time never decreases.
        ("id 1; syn 50; x 5; syn 40; x 6; syn 50", "50: 1 landed 0,0\n50: 1 moved 5,0\n50: 1 moved 6,0"),
        // Positions outside the range are moved to the border.
        ("id 1; x 5000; y -5000; syn 0", "0: 1 landed 1000,0"),
        ("id 1; x 2147483647; y -2147483648; syn 0", "0: 1 landed 1000,0"),
    ]

    @Test(arguments: transitions)
    func transition(script: String, transcript: String) throws {
        #expect(try TrackerScript.run(script) == transcript)
    }

    static let synchronisations: [(String, String)] = [
        // A contact with the same id in the same slot continues, and is reported even if it has not moved.
        (
            "id 7; x 5; syn 0; sync 20 0:7,5,0; x 6; syn 30",
            "0: 1 landed 5,0\n20: 1 resynchronized 5,0\n30: 1 moved 6,0"
        ),
        ("id 7; x 5; syn 0; sync 20 0:7,9,9", "0: 1 landed 5,0\n20: 1 resynchronized 9,9"),
        // The contact is gone, has been replaced, is in another slot, or is new.
        ("id 7; x 5; syn 0; sync 20", "0: 1 landed 5,0\n20: 1 cancelled(syncLost) 5,0"),
        ("id 7; x 5; syn 0; sync 20 0:8,9,9", "0: 1 landed 5,0\n20: 1 cancelled(syncLost) 5,0, 2 landed 9,9"),
        ("id 7; x 5; syn 0; sync 20 1:7,9,9", "0: 1 landed 5,0\n20: 1 cancelled(syncLost) 5,0, 2 landed 9,9"),
        ("sync 20 3:8,9,9", "20: 1 landed 9,9"),
        // The lost frame contained a lift.
        ("id 7; x 5; syn 0; id -1; sync 20", "0: 1 landed 5,0\n20: 1 cancelled(syncLost) 5,0"),
        ("id 7; x 5; syn 0; id -1; sync 20 0:8,6,6", "0: 1 landed 5,0\n20: 1 cancelled(syncLost) 5,0, 2 landed 6,6"),
        // If the state of the slots is unknown, all contacts are cancelled and ignored until they lift.
        (
            "id 7; x 5; syn 0; drop 8; id -1; slot 1; id 9; syn 8; x 6; syn 16; slot 0; id 8; syn 24",
            "0: 1 landed 5,0\n8: 1 cancelled(syncLost) 5,0\n24: 2 landed 5,0"
        ),
        (
            "id 7; x 5; syn 0; drop 8; syn 8; x 9; syn 16; id -1; syn 24; id 9; syn 32",
            "0: 1 landed 5,0\n8: 1 cancelled(syncLost) 5,0\n32: 2 landed 9,0"
        ),
        // Contacts that were down when the device was opened are ignored until they lift. The next contact of a slot
        // takes over the position.
        ("initial 0:5,400,600; x 420; syn 0; id -1; syn 100; id 6; syn 200", "200: 1 landed 420,600"),
        ("initial 0:-1,400,600; id 7; y 700; syn 0", "0: 1 landed 400,700"),
        // The device is removed, so all contacts are cancelled, including one with a pending lift.
        (
            "id 7; syn 0; slot 1; id 8; syn 8; id -1; cancel 10; cancel 11",
            "0: 1 landed 0,0\n8: 2 landed 0,0\n10: 1 cancelled(deviceRemoved) 0,0, 2 cancelled(deviceRemoved) 0,0"
        ),
        // Cancelled contacts are ignored until they lift.
        (
            "id 7; syn 0; cancel 8; x 5; syn 16; id -1; syn 24; id 8; syn 32",
            "0: 1 landed 0,0\n8: 1 cancelled(deviceRemoved) 0,0\n32: 2 landed 5,0"
        ),
    ]

    @Test(arguments: synchronisations)
    func synchronisation(script: String, transcript: String) throws {
        #expect(try TrackerScript.run(script) == transcript)
    }

    static let single: [(String, String)] = [
        ("X 5; Y 6; BTN 1; syn 0; X 7; syn 8; BTN 0; syn 16", "0: 1 landed 5,6\n8: 1 moved 7,6\n16: 1 lifted 7,6"),
        ("BTN 1; X 5; Y 6; syn 0; BTN 2; syn 4; BTN 1; syn 6", "0: 1 landed 5,6"),
        ("X 5; Y 6; syn 0; BTN 1; syn 8", "8: 1 landed 5,6"),
        ("BTN 1; syn 0; BTN 0; BTN 1; X 9; syn 8", "0: 1 landed 0,0\n8: 1 lifted 0,0, 2 landed 9,0"),
        ("BTN 1; BTN 0; syn 0", ""),
        // The value 2, a key's autorepeat, is not a landing.
        ("X 5; BTN 2; syn 0; BTN 1; syn 8", "8: 1 landed 5,0"),
        ("BTN 1; X 5; syn 0; slot 3; x 9; id 5; X 6; syn 8", "0: 1 landed 5,0\n8: 1 moved 6,0"),
        ("initial 0:0,4,4; X 5; syn 0; BTN 0; syn 8; BTN 1; syn 16", "16: 1 landed 5,4"),
    ]

    @Test(arguments: single)
    func singleTouch(script: String, transcript: String) throws {
        #expect(try TrackerScript.run(script, TrackerScript.resistive) == transcript)
    }

    @Test func contactsThatAreDown() throws {
        var run = try TrackerScript()
        try run.play("slot 4; id 1; x 40; major 85; syn 0; slot 2; id 2; x 20; syn 8; slot 3; id 3; tool 2; syn 9")
        #expect(run.tracker.contacts.map(\.id.rawValue) == [1, 2])
        #expect(run.tracker.contacts.map(\.slot) == [4, 2])
        #expect(run.tracker.contacts.map(\.major) == [8.5, 0])
        #expect(run.tracker.counts.open.landed == 2)
        try run.play("slot 4; id -1; slot 2; id -1; syn 16")
        #expect(run.tracker.contacts.isEmpty)
    }

    /// The device selected slot 3 before it was opened, and does not report that again.
    @Test func beginsInTheDescribedSlot() throws {
        var device = TrackerScript.panel
        device.axes[0x2f]?.value = 3
        var run = try TrackerScript(device)
        try run.play("id 1; x 5; syn 0")
        #expect(run.tracker.contacts.map(\.slot) == [3])
    }

    /// With arbitrary events, the tracker does not trap, and each contact lands once and ends at most once.
    @Test(arguments: 0..<20)
    func anyEvents(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var run = try TrackerScript(filter: FilterSettings(masks: [Rectangle(minX: 0, minY: 0, maxX: 20, maxY: 20)]))
        let codes: [UInt16] = [0x2f, 0x2f, 0x35, 0x36, 0x39, 0x39, 0x30, 0x37, 0x3b, 0x00, 0x01, 0x7f]
        let values: [Int32] = [-1, -1, 0, 1, 2, 3, 9, 10, 500, .max, .min]
        var alive: Set<Int64> = []
        for step in 0..<5000 {
            let time = Timestamp(microseconds: Int64(step) * 997)
            let type: UInt16 = [3, 3, 3, 3, 3, 0, 0, 1][Int(random.next() % 8)]
            let code = type == 3 ? codes[Int(random.next() % 12)] : UInt16(random.next() % 4)
            let value = values[Int(random.next() % 11)]
            var hasFrame = run.tracker.feed(KernelEvent(time: time, type: type, code: code, value: value))
            if !hasFrame, random.next() % 200 == 0 {
                let table = SlotTable(slots: [SlotState(trackingID: value, x: value)], current: Int(value))
                hasFrame = run.tracker.resynchronize(table, at: time)
            }
            guard hasFrame else { continue }
            #expect(!run.tracker.frame.changes.isEmpty)
            for change in run.tracker.frame.changes {
                switch change.kind {
                case .landed: #expect(alive.insert(change.id.rawValue).inserted)
                case .moved, .resynchronized: #expect(alive.contains(change.id.rawValue))
                case .lifted, .cancelled: #expect(alive.remove(change.id.rawValue) != nil)
                }
                #expect(run.tracker.mapping.panelSize.bounds.contains(change.position))
            }
            #expect(alive == Set(run.tracker.contacts.map(\.id.rawValue)))
        }
    }
}
