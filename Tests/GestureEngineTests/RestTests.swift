// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Contacts that rest")
struct RestTests {
    private func region(_ milliseconds: Int64, _ gestures: [GestureSettings]) -> Region {
        var region = GestureTestSupport.region(gestures)
        region.restAfter = .milliseconds(milliseconds)
        return region
    }

    @Test("are counted with other contacts until the time has passed")
    func time() {
        let regions = [region(1000, [tap()])]
        #expect(simulate(regions, "down w 10,10; +1000ms; down a 100,50; +50ms; up a; up w") == "1050 tap after 50")
        #expect(simulate(regions, "down w 10,10; +999.999ms; down a 100,50; +50ms; up a; up w").isEmpty)
        #expect(
            simulate([GestureTestSupport.region([tap()])], "down w 10,10; +1000ms; down a 100,50; +50ms; up a; up w")
                .isEmpty)
    }

    @Test("may move by 3 mm, but not more")
    func wobble() {
        let regions = [region(1000, [tap()])]
        #expect(
            simulate(regions, "down w 10,10; +500ms; move w 13,10; +500ms; down a 100,50; +50ms; up a; up w")
                == "1050 tap after 50")
        #expect(
            simulate(regions, "down w 10,10; +500ms; move w 13.1,10; +500ms; down a 100,50; +50ms; up a; up w").isEmpty)
    }

    @Test("are fingers if they are the only contacts, however long they rest")
    func alone() {
        #expect(
            simulate([region(1000, [press, longPress()])], "down a 10,10; +5000ms; up a").hasSuffix(
                "500 long_press begin\n5000 long_press end held 5000\n5000 press end inside held 5000"))
    }

    @Test("leave the gestures of several other fingers alone")
    func severalFingers() {
        let regions = [region(1000, [tap(fingers: 2), pinch()])]
        #expect(
            simulate(regions, "down w 10,10; +1000ms; down a 100,50 & down b 130,50; +50ms; up a & up b; up w")
                == "1050 2-finger tap after 50")
        #expect(
            simulate(
                regions,
                "down w 10,10; +1000ms; down a 100,50 & down b 120,50; +50ms; move b 140,50; +10ms; up a & up b; up w")
                == "1050 pinch begin x2.0\n1060 pinch end x2.0")
    }

    @Test("leave together before the others are judged")
    func together() {
        let tap = tap(fingers: 2) { ($0.slop, $0.maxTime) = (2, .milliseconds(5000)) }
        let script =
            "down u 10,10 & down v 50,90 & down w 190,10; +100ms; move w 187.5,10; +850ms; down a 100,50; +60ms; "
            + "down b 130,50; +50ms; up a & up b; up u & up v & up w"
        #expect(simulate([region(1000, [tap])], script) == "1060 2-finger tap after 110")
    }

    @Test("leave a drag only if all of it rests, and only for a contact that lands")
    func dragging() {
        func drags(_ wait: Int, _ touches: String) -> String {
            simulate([region(1000, [drag()])], "down a 10,10; +10ms; move a 20,10; +\(wait)ms; \(touches)")
        }
        let joins = "down b 100,50; +10ms; move a 30,10 & move b 110,50; +10ms; up a & up b"
        let joined = "10 drag begin 0.0,0.0\n1019 drag update 17.0,0.0\n1029 drag end 17.0,0.0"
        #expect(drags(999, joins) == joined)
        let apart = "10 drag begin 0.0,0.0\n1010 drag cancel rest 7.0,0.0\n1020 drag begin 0.0,0.0"
        #expect(drags(1000, joins).hasPrefix(apart))
        let moves = "down b 100,50; +2000ms; move b 120,50; +10ms; up a & up b"
        #expect(drags(500, moves) == "10 drag begin 0.0,0.0\n2510 drag update 17.0,0.0\n2520 drag end 17.0,0.0")
    }

    @Test("land again when they move, and join the drag of another contact")
    func comesBack() {
        #expect(
            simulate(
                [region(1000, [drag()])],
                """
                down w 10,10; +1000ms; down a 100,50; +10ms; move a 110,50; +10ms; move w 20,10; +10ms
                move a 120,50 & move w 30,10; +10ms; up a; +10ms; up w
                """)
                    == """
                    1010 drag begin 0.0,0.0
                    1030 drag update 17.0,0.0
                    1050 drag end 17.0,0.0
                    """)
    }

    @Test("cause no event when they lift or are cancelled")
    func lift() {
        for end in ["up w", "cancel w palm"] {
            #expect(
                simulate([region(1000, [press])], "down w 10,10; +1000ms; down a 100,50; +10ms; \(end); +10ms; up a")
                    == """
                    0 press begin
                    1000 press cancel rest inside held 1000
                    1000 press begin
                    1020 press end inside held 20
                    """)
        }
    }

    @Test("are not part of a long press that waits after they returned and lifted")
    func longPressAfterReturn() {
        var region = GestureTestSupport.region(rules: [
            Gesture(drag(fingers: 2) { $0.axis = .vertical }),
            Gesture(longPress(fingers: 2) { $0.delay = .milliseconds(100) }, unless: ["2-finger drag"]),
        ])
        region.restAfter = .milliseconds(150)
        #expect(
            simulate(
                [region],
                """
                down a 46,48 & down b 64,74; +700ms; move a 48,48; move b 63,71; move a 49.75,48.75; +300ms
                up a; up b
                """
            ).isEmpty)
    }

    @Test("rest in each region separately")
    func nested() {
        var list = GestureTestSupport.region("list", [tap(fingers: 1)])
        list.restAfter = .milliseconds(1000)
        let button = GestureTestSupport.region("button", (0, 0, 40, 40), parent: 0, [press])
        #expect(
            simulate([list, button], "down w 10,10; +1000ms; down a 100,50; +50ms; up a; +10ms; up w")
                == """
                0 button.press begin
                1050 list.tap after 50
                1060 button.press end inside held 1060
                """)
    }

    @Test("stay out of a region that they left through a reload of unchanged regions")
    func reload() {
        let regions = [region(1000, [press])]
        #expect(
            simulate(
                regions,
                "down w 10,10; +1000ms; down a 100,50; +10ms; up a; +10ms; reload 0; +10ms; move w 20,10; +10ms; up w")
                    == """
                    0 press begin
                    1000 press cancel rest inside held 1000
                    1000 press begin
                    1010 press end inside held 10
                    1030 press begin
                    1040 press end inside held 10
                    """)
    }
}
