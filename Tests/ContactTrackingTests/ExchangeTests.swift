// SPDX-License-Identifier: MIT
import ContactTracking
import Testing

@Suite("Contacts that have changed places")
struct ExchangeTests {
    /// Two contacts 60 mm apart.
    private static let two = "slot 0; id 1; x 100; y 500; slot 1; id 2; x 700; y 500; syn 0; "

    static let exchanges: [(String, String)] = [
        // The tracker swaps the two contacts. From then on, each slot reports the contact that was in the other slot.
        (
            two + "slot 0; x 705; slot 1; x 110; syn 10; slot 0; x 715; syn 20; slot 1; id -1; syn 30",
            "10: 1 moved 110,500, 2 moved 705,500\n20: 2 moved 715,500\n30: 1 lifted 110,500"
        ),
        // The contacts are exchanged again, and one of them moves at the same time.
        (
            two + "slot 0; x 700; slot 1; x 100; syn 10; slot 0; x 80; slot 1; x 700; syn 20; slot 0; id -1; syn 30",
            "10: 1 moved 100,500, 2 moved 700,500\n20: 1 moved 80,500, 2 moved 700,500\n30: 1 lifted 80,500"
        ),
        // A third contact moves in the same frame.
        (
            two + "slot 2; id 3; x 400; syn 5; slot 0; x 700; slot 1; x 100; slot 2; x 410; syn 10",
            "5: 3 landed 400,0\n10: 1 moved 100,500, 2 moved 700,500, 3 moved 410,0"
        ),
        // A distance of 3 mm is close enough, but 3.1 mm is not.
        (two + "slot 0; x 700; slot 1; x 130; syn 10", "10: 1 moved 130,500, 2 moved 700,500"),
        (two + "slot 0; x 700; slot 1; x 131; syn 10", "10: 1 moved 700,500, 2 moved 131,500"),
        // Only one of the contacts jumps.
        (two + "slot 0; x 700; syn 10", "10: 1 moved 700,500"),
        // After lost events, the tracking ids are used.
        (two + "sync 10 0:1,700,500 1:2,100,500", "10: 1 resynchronized 700,500, 2 resynchronized 100,500"),
    ]

    @Test(arguments: exchanges)
    func exchange(script: String, transcript: String) throws {
        let lines = try TrackerScript.run(script).split(separator: "\n").dropFirst()
        #expect(lines.joined(separator: "\n") == transcript)
    }

    /// Two fingers that are 13 mm apart or nearer may turn by 180° between two reports.
    @Test(arguments: [(130, "1 moved 230,0, 2 moved 100,0"), (131, "1 moved 100,0, 2 moved 231,0")])
    func distance(between: Int, changes: String) throws {
        let (a, b) = (100, 100 + between)
        let script = "id 1; x \(a); slot 1; id 2; x \(b); syn 0; slot 0; x \(b); slot 1; x \(a); syn 10"
        #expect(try TrackerScript.run(script).hasSuffix("10: \(changes)"))
    }
}
