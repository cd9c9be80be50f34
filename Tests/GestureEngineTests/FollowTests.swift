// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// With `capture = "follow"`, a contact belongs to the region at its current position.
@Suite("Capture that follows")
struct FollowTests {
    /// Returns three keys of 20 x 20 mm with gaps of 5 mm. If `keyboard` is given, they are children of a region with
    /// these gestures.
    private func keys(_ gestures: [GestureSettings], keyboard: [GestureSettings]? = nil) -> [Region] {
        var regions = keyboard.map { [region("board", (0, 0, 100, 40), $0)] } ?? []
        for i in 0..<3 {
            var key = region(
                "k\(i)", (Double(i) * 25, 0, 20, 20), parent: keyboard == nil ? nil : 0, gestures)
            key.capture = .follow
            regions.append(key)
        }
        return regions
    }

    @Test("the press is cancelled in the old key and begins in the new one")
    func handover() {
        #expect(
            simulate(keys([press]), "down a 10,10; +10ms; move a 30,10; +10ms; move a 60,10; +10ms; up a")
                == """
                0 k0.press begin
                10 k0.press cancel handover inside held 10
                10 k1.press begin
                20 k1.press cancel handover inside held 10
                20 k2.press begin
                30 k2.press end inside held 10
                """)
    }

    @Test("between the keys it stays with the last one, even on the keyboard")
    func between() {
        let script = "down a 10,10; +10ms; move a 22,10; +10ms; move a 25,10; +10ms; move a 24.9,10; +10ms; up a"
        let transcript = """
            0 k0.press begin
            20 k0.press cancel handover inside held 20
            20 k1.press begin
            40 k1.press end inside held 20
            """
        #expect(simulate(keys([press]), script) == transcript)
        #expect(simulate(keys([press], keyboard: [press]), script) == transcript)
    }

    @Test("only a contact that lands in a region that follows moves on: a contact of any other region stays there")
    func implicit() {
        var regions = keys([press])
        regions[0].capture = .implicit
        #expect(
            simulate(regions, "down a 10,10; +10ms; move a 30,10; +10ms; up a")
                == "0 k0.press begin\n10 k0.press update outside\n20 k0.press end outside held 20")
        // A contact that moves to a key that does not follow stays there.
        #expect(
            simulate(regions, "down a 30,10; +10ms; move a 10,10; +10ms; move a 60,10; +10ms; up a")
                == """
                0 k1.press begin
                10 k1.press cancel handover inside held 10
                10 k0.press begin
                20 k0.press update outside
                30 k0.press end outside held 20
                """)
    }

    @Test("in the new key all gestures begin there: tap, long press, repeat")
    func anew() {
        let gestures = [tap(), longPress(), repeating()]
        #expect(
            simulate(keys(gestures), "down a 10,10; +400ms; move a 30,10; +600ms; up a")
                == """
                900 k1.long_press begin
                900 k1.repeat 1 held 500
                1000 k1.repeat 2 held 600
                1000 k1.long_press end held 600
                """)
        #expect(simulate(keys(gestures), "down a 10,10; +400ms; move a 30,10; +50ms; up a") == "450 k1.tap after 50")
    }

    @Test("the keyboard keeps its sequence, and its press begins once")
    func boardGoesOn() {
        #expect(
            simulate(keys([tap()], keyboard: [press]), "down a 10,10; +10ms; move a 30,10; +10ms; up a")
                == "0 board.press begin\n20 k1.tap after 10\n20 board.press end inside held 20")
    }

    @Test("a contact that the keyboard drags is not handed over any more")
    func claimed() {
        #expect(
            simulate(
                keys([press], keyboard: [drag { $0.start = 10 }]),
                "down a 10,10; +10ms; move a 15,10; +10ms; move a 30,10; +10ms; move a 60,10; +10ms; up a")
                    == """
                    0 k0.press begin
                    20 k0.press cancel claimed inside held 20
                    20 board.drag begin 0.0,0.0
                    30 board.drag update 40.0,0.0
                    40 board.drag end 40.0,0.0
                    """)
    }

    @Test("two fingers on two keys, which both move to the same key")
    func twoFingers() {
        #expect(
            simulate(
                keys([press]),
                "down a 10,10 & down b 60,10; +10ms; move a 30,10; +10ms; move b 35,10; +10ms; up a; +10ms; up b")
                    == """
                    0 k0.press begin
                    0 k2.press begin
                    10 k0.press cancel handover inside held 10
                    10 k1.press begin
                    20 k2.press cancel handover inside held 20
                    40 k1.press end inside held 30
                    """)
    }
}
