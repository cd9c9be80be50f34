// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

/// Tests every sequence of tracking ids in a slot, within one frame and across frames.
@Suite("Transitions of tracking ids")
struct TransitionTableTests {
    /// If there is a contact before the events, it is contact 1 in slot 0, at 100,100. The events move it to 200,100.
    static let table: [(before: String, events: String, across: String, within: String)] = [
        // There is no contact before or after the events.
        ("", "id -1; x 200", "", ""),
        ("", "x 200", "", ""),
        // A contact begins. In the same frame, it may end or be replaced.
        ("", "id 5; x 200", "10: 1 landed 200,0", "10: 1 landed 200,0"),
        ("", "id 5; x 200; id -1", "10: 1 landed 200,0\n11: 1 lifted 200,0", ""),
        (
            "", "id 5; x 200; id 6", "10: 1 landed 200,0\n11: 1 cancelled(syncLost) 200,0, 2 landed 200,0",
            "10: 1 landed 200,0"
        ),
        // A contact stays; its id may be repeated, and it may move.
        ("id 5", "id 5", "", ""),
        ("id 5", "id 5; x 200", "10: 1 moved 200,100", "10: 1 moved 200,100"),
        ("id 5", "x 200", "10: 1 moved 200,100", "10: 1 moved 200,100"),
        // A contact ends; before or after that, there may be a movement.
        ("id 5", "id -1", "10: 1 lifted 100,100", "10: 1 lifted 100,100"),
        ("id 5", "x 200; id -1", "10: 1 moved 200,100\n11: 1 lifted 200,100", "10: 1 lifted 200,100"),
        ("id 5", "id -1; x 200", "10: 1 lifted 100,100", "10: 1 lifted 100,100"),
        // A contact ends and another begins, with another id or the same one; the second one may end as well.
        (
            "id 5", "id -1; id 6; x 200", "10: 1 lifted 100,100\n11: 2 landed 200,100",
            "10: 1 lifted 100,100, 2 landed 200,100"
        ),
        (
            "id 5", "id -1; id 5; x 200", "10: 1 lifted 100,100\n11: 2 landed 200,100",
            "10: 1 lifted 100,100, 2 landed 200,100"
        ),
        (
            "id 5", "id -1; id 6; id -1", "10: 1 lifted 100,100\n11: 2 landed 100,100\n12: 2 lifted 100,100",
            "10: 1 lifted 100,100"
        ),
        // The id changes without an end; then the second contact may end, or the first id may return.
        (
            "id 5", "id 6; x 200", "10: 1 cancelled(syncLost) 100,100, 2 landed 200,100",
            "10: 1 cancelled(syncLost) 100,100, 2 landed 200,100"
        ),
        (
            "id 5", "id 6; id -1", "10: 1 cancelled(syncLost) 100,100, 2 landed 100,100\n11: 2 lifted 100,100",
            "10: 1 cancelled(syncLost) 100,100"
        ),
        (
            "id 5", "id 6; id 5",
            "10: 1 cancelled(syncLost) 100,100, 2 landed 100,100\n"
                + "11: 2 cancelled(syncLost) 100,100, 3 landed 100,100",
            "10: 1 cancelled(syncLost) 100,100, 2 landed 100,100"
        ),
    ]

    /// Lands the first contact of a row at 0 ms, at 100,100.
    private func start(_ before: String) -> String {
        before.isEmpty ? "" : "slot 0; \(before); x 100; y 100; syn 0; "
    }

    private func afterStart(_ transcript: String, _ before: String) -> String {
        before.isEmpty ? transcript : "0: 1 landed 100,100" + (transcript.isEmpty ? "" : "\n" + transcript)
    }

    @Test("within one frame", arguments: table)
    func within(row: (before: String, events: String, across: String, within: String)) throws {
        #expect(
            try TrackerScript.run("\(start(row.before))\(row.events); syn 10") == afterStart(row.within, row.before))
    }

    /// Each id begins a new frame; a movement is in the frame of the preceding id.
    @Test("with one frame for each id", arguments: table)
    func across(row: (before: String, events: String, across: String, within: String)) throws {
        var script = start(row.before)
        var time = 10
        var isOpen = false
        for event in row.events.split(separator: ";").map({ $0.drop { $0 == " " } }) {
            if event.hasPrefix("id"), isOpen {
                script += "syn \(time); "
                time += 1
            }
            script += "\(event); "
            isOpen = true
        }
        let transcript = try TrackerScript.run("\(script)syn \(time)")
        #expect(transcript == afterStart(row.across, row.before))
    }

    @Test("other slots are not affected", arguments: table)
    func others(row: (before: String, events: String, across: String, within: String)) throws {
        // Contact 1 is in slot 3 and moves in the frame under test, before or after the events.
        let bystander = "slot 3; id 900; x 900; y 900; syn 0; "
        let before = row.before.isEmpty ? "" : "slot 0; \(row.before); x 100; y 100; syn 1; "
        let first = "\(bystander)\(before)slot 3; x 901; slot 0; \(row.events); syn 10"
        let last = "\(bystander)\(before)slot 0; \(row.events); slot 3; x 901; syn 10"
        let lines = try TrackerScript.run(first)
        #expect(try TrackerScript.run(last) == lines)
        #expect(lines.contains("1 moved 901,900"))
        #expect(!lines.contains("1 lifted") && !lines.contains("1 cancelled"))
    }
}
