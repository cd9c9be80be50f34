// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Tests values just within and just beyond each limit of press, long press and repeat.
@Suite("Limits of press, long press and repeat")
struct HoldTableTests {
    private func button(_ gesture: GestureSettings, leave: Double = 4) -> [Region] {
        var region = region("r", (50, 10, 30, 20), [gesture])
        region.leaveDistance = leave
        return [region]
    }

    // MARK: Press

    @Test(
        "leaving and returning",
        arguments: [
            (2.0, "81.999,20", ""), (2, "82,20", "update outside"), (0, "79.999,20", ""),
            (0, "80,20", "update outside"),
            (4, "60,6.001", ""), (4, "60,6", "update outside"),
            // Beyond a corner, the distance is measured from the corner.
            (5, "82.998,34", ""), (5, "83,34", "update outside"),
        ] as [(Double, String, String)])
    func leave(leave: Double, place: String, line: String) {
        let lines = simulate(button(press, leave: leave), "down a 60,20; +10ms; move a \(place)")
        #expect(lines == "0 press begin" + (line.isEmpty ? "" : "\n10 press \(line)"))
    }

    @Test("a press has returned when it is inside the drawn shape, even if it left by a shorter distance")
    func returned() {
        #expect(
            simulate(button(press), "down a 60,20; +10ms; move a 90,20; +10ms; move a 80,20; +10ms; move a 79.999,20")
                == "0 press begin\n10 press update outside\n30 press update inside")
    }

    @Test("a press that begins in a margin is outside only from 4 mm outside the margin")
    func margin() {
        var region = region("r", (50, 10, 30, 20), [press])
        region.margin = 2
        #expect(
            simulate([region], "down a 81.9,20; +10ms; move a 85.9,20; +10ms; move a 86,20; +10ms; up a")
                == "0 press begin\n20 press update outside\n30 press end outside held 30")
    }

    @Test(
        "progress",
        arguments: [
            ("+99.999ms; up a", "0 press begin\n99.999 press end inside held 99.999"),
            ("+100ms; up a", "0 press begin\n100 press update inside held 100\n100 press end inside held 100"),
            // The press continues outside the region and still reports its progress.
            (
                "+50ms; move a 150,20; +100ms; up a",
                "0 press begin\n50 press update outside\n100 press update outside held 100\n150 press end outside held 150"
            ),
            ("+50ms; cancel a palm", "0 press begin\n50 press cancel palm inside held 50"),
        ])
    func progress(script: String, transcript: String) {
        let timed = GestureSettings.press(PressSettings(progress: .milliseconds(100)))
        #expect(simulate(button(timed), "down a 60,20; \(script)") == transcript)
    }

    // MARK: Long press

    @Test(
        "delay and slop",
        arguments: [
            ("+199.999ms; up a", ""), ("+200ms; up a", "200 long_press begin\n200 long_press end held 200"),
            ("move a 62,20; +200ms; up a", "200 long_press begin\n200 long_press end held 200"),
            ("move a 62.002,20; +200ms; up a", ""),
            // A contact that moves away and back has moved, even just before the delay ends.
            ("+50ms; move a 70,20; move a 60,20; +200ms; up a", ""), ("+199.999ms; move a 70,20; +50ms; up a", ""),
            // The deadline fires before a frame with the same time.
            ("+200ms; move a 70,20; up a", "200 long_press begin\n200 long_press end held 200"),
            // The contact is outside the region but within the slop.
            ("move a 60,20; +200ms; up a", "200 long_press begin\n200 long_press end held 200"),
        ])
    func longPress(script: String, transcript: String) {
        let gesture = GestureTestSupport.longPress {
            $0.delay = .milliseconds(200)
            $0.slop = 2
        }
        #expect(simulate(button(gesture), "down a 60,20; \(script)") == transcript)
    }

    @Test(
        "inside: fails if the contact leaves by 4 mm before the gesture begins",
        arguments: [
            ("move a 83.99,20; +200ms; up a", "200 long_press begin\n200 long_press end held 200"),
            ("move a 84,20; +200ms; up a", ""), ("move a 84,20; +9ms; move a 60,20; +200ms; up a", ""),
            ("+200ms; move a 84,20; up a", "200 long_press begin\n200 long_press end held 200"),
            // The first contact has left, so a second one inside does not help.
            ("move a 84,20; down b 60,20; +200ms; up a; +200ms; up b", ""),
        ])
    func inside(script: String, transcript: String) {
        let gesture = GestureTestSupport.longPress {
            $0.delay = .milliseconds(200)
            ($0.slop, $0.staysInside) = (50, true)
        }
        #expect(simulate(button(gesture), "down a 60,20; \(script)") == transcript)
    }

    @Test("inside: a finger that is outside when the gesture wakes up")
    func insideAwake() {
        var gesture = Gesture(
            GestureTestSupport.longPress {
                $0.delay = .milliseconds(200)
                ($0.slop, $0.staysInside) = (50, true)
            }, name: "held")
        gesture.after = ["drag"]
        var button = region(rules: [Gesture(drag()), gesture])
        button.shape = .rectangle(Rectangle(minX: 50, minY: 10, maxX: 80, maxY: 30))
        #expect(simulate([button], "down a 60,20; move a 83,20; +200ms").contains("held begin"))
        #expect(!simulate([button], "down a 60,20; move a 84,20; +200ms").contains("held begin"))
    }

    @Test(
        "cancel_slop: the distance from the position where the gesture began",
        arguments: [
            ("+200ms; move a 64,20; up a", "200 long_press begin\n200 long_press end held 200"),
            ("+200ms; move a 64.002,20; up a", "200 long_press begin\n200 long_press cancel movement held 200"),
            // Movement before the gesture begins is ignored. Afterwards the distance is measured, not the length of the path.
            (
                "move a 57,20; +200ms; move a 53,20; move a 57,20; move a 61,20; up a",
                "200 long_press begin\n200 long_press end held 200"
            ),
            // The gesture stays cancelled when the contact returns.
            (
                "+200ms; move a 70,20; +9ms; move a 60,20; +900ms; up a",
                "200 long_press begin\n200 long_press cancel movement held 200"
            ),
            // The contact moves and lifts in the same frame.
            ("+200ms; move a 70,20 & up a", "200 long_press begin\n200 long_press cancel movement held 200"),
            // Events were lost, and the contact is found at another position.
            ("+200ms; jump a 70,20; up a", "200 long_press begin\n200 long_press cancel movement held 200"),
        ])
    func cancelSlop(script: String, transcript: String) {
        let gesture = GestureTestSupport.longPress {
            $0.delay = .milliseconds(200)
            $0.cancelSlop = 4
        }
        #expect(simulate(button(gesture), "down a 60,20; \(script)") == transcript)
    }

    @Test("cancel_slop applies to each finger, even if another region drags it; a drag after it begins first")
    func cancelSlopOfSeveral() {
        let two = GestureTestSupport.longPress(fingers: 2) { $0.cancelSlop = 4 }
        #expect(
            simulate([region([two])], "down a 10,10 & down b 40,10; +600ms; move b 44,10; +9ms; move b 44.1,10")
                == "500 2-finger long_press begin\n609 2-finger long_press cancel movement held 609")
        let one = GestureTestSupport.longPress { $0.cancelSlop = 4 }
        let list = region("list", (0, 0, 200, 100), [one])
        let ok = region("ok", (50, 10, 30, 20), parent: 0, [drag()])
        #expect(
            simulate([list, ok], "down a 60,20; +600ms; move a 63.5,20; +9ms; move a 65,20")
                == "500 list.long_press begin\n600 ok.drag begin 0.0,0.0\n609 ok.drag update 2.0,0.0\n"
                + "609 list.long_press cancel movement held 609")
        var after = Gesture(drag())
        after.after = ["long_press"]
        #expect(
            simulate([region(rules: [Gesture(one), after])], "down a 60,20; +600ms; move a 70,20; up a")
                == "500 long_press begin\n600 drag begin 0.0,0.0\n600 long_press cancel movement held 600\n"
                + "600 drag end 7.0,0.0")
    }

    @Test("cancel_slop: a long press that is kept back fails")
    func cancelSlopDeferred() {
        var held = Gesture(GestureTestSupport.longPress { $0.cancelSlop = 4 })
        held.unless = ["swipe"]
        let lines = simulate(
            [region(rules: [Gesture(swipe { $0.maxTime = .milliseconds(2000) }), held])],
            "down a 60,20; +600ms; move a 64.1,20; +9ms; up a", failures: true)
        #expect(lines.contains("600 long_press failed: movement"))
    }

    @Test(
        "several fingers",
        arguments: [
            (3, "down a 10,10; +99ms; down b 40,10; +99ms; down c 70,10; +499ms; up a", ""),
            (
                3, "down a 10,10; +99ms; down b 40,10; +99ms; down c 70,10; +500ms; up b",
                "698 held begin\n698 held end held 500"
            ),
            // The first contact strayed before the others landed.
            (
                2, "down a 10,10; +99ms; move a 15,10; +9ms; down b 40,10; +500ms; up a; up b",
                "608 held begin\n608 held end held 500"
            ),
            (2, "down a 10,10; +99ms; move a 15.1,10; +9ms; down b 40,10; +500ms; up a; up b", ""),
            // One contact too many lands, either before or after the gesture begins.
            (2, "down a 10,10 & down b 40,10; +499ms; down c 70,10; +500ms; up a; up b; up c", ""),
            (
                2, "down a 10,10 & down b 40,10; +500ms; down c 70,10; +50ms; up a; up c; up b",
                "500 held begin\n550 held end held 550"
            ),
            // The number of contacts changes before the gesture is due: it fails for the whole sequence.
            (2, "down a 10,10 & down b 40,10; +99ms; up b; +9ms; down c 40,10; +900ms; up c; up a", ""),
            (1, "down a 10,10; +99ms; down b 40,10; +9ms; up b; +900ms; up a", ""),
            // There are too few contacts.
            (2, "down a 10,10; +900ms; up a", ""),
        ] as [(Int, String, String)])
    func fingers(fingers: Int, script: String, transcript: String) {
        let gesture = Gesture(GestureTestSupport.longPress(fingers: fingers), name: "held")
        #expect(simulate([region(rules: [gesture])], script) == transcript)
    }

    @Test("stages: independent of each other")
    func stages() {
        let regions = [
            region(
                rules: [("one", 300), ("two", 600), ("three", 900)].map { name, delay in
                    Gesture(GestureTestSupport.longPress { $0.delay = .milliseconds(Int64(delay)) }, name: name)
                })
        ]
        #expect(
            simulate(regions, "down a 10,10; +599.999ms; up a") == "300 one begin\n599.999 one end held 599.999")
        #expect(
            simulate(regions, "down a 10,10; +600ms; up a")
                == "300 one begin\n600 two begin\n600 one end held 600\n600 two end held 600")
        #expect(
            simulate(regions, "down a 10,10; +1000ms; up a").hasPrefix("300 one begin\n600 two begin\n900 three begin"))
    }

    @Test("multi_touch: with a second contact, in the region or below it, a long press fails when it would begin")
    func secondContact() {
        let list = region("list", [GestureTestSupport.longPress()])
        let item = region("item", (0, 50, 50, 50), parent: 0, [tap()])
        #expect(
            simulate([list, item], "down a 10,10; +400ms; down b 10,60; +400ms; up a & up b", failures: true)
                .contains("500 list.long_press failed: multiTouch"))
    }

    // MARK: Repeat

    @Test(
        "delay, interval and max_duration",
        arguments: [
            ("+199.999ms; up a", []), ("+200ms; up a", [200]), ("+249.999ms; up a", [200]),
            ("+250ms; up a", [200, 250]),
            // The last repetition occurs at `max_duration`, 400 ms.
            ("+900ms; up a", [200, 250, 300, 350, 400]),
            // The finger moves away from where it landed, but stays inside the region.
            ("+210ms; move a 75,20; +50ms; up a", [200, 250]), ("+210ms; cancel a palm", [200]),
        ] as [(String, [Int])])
    func repeats(script: String, times: [Int]) {
        let gesture = repeating {
            $0.delay = .milliseconds(200)
            $0.interval = .milliseconds(50)
            $0.maxDuration = .milliseconds(400)
        }
        let expected = times.enumerated().map { "\($1) repeat \($0 + 1) held \($1)" }.joined(separator: "\n")
        #expect(simulate(button(gesture), "down a 60,20; \(script)") == expected)
    }

    @Test(
        "acceleration",
        arguments: [
            (1.0, 30, [500, 600, 700, 800, 900]), (0.5, 30, [500, 600, 650, 680, 710]),
            (0.5, 50, [500, 600, 650, 700, 750]),
            // The intervals are 100, 80, 64 and 51.2 ms.
            (0.8, 30, [500, 600, 680, 744, 795.2]),
        ] as [(Double, Int64, [Double])])
    func accelerates(factor: Double, minimum: Int64, times: [Double]) {
        let gesture = repeating {
            $0.accelerate = factor
            $0.minInterval = .milliseconds(minimum)
        }
        let lines = simulate(button(gesture), "down a 60,20; +1500ms; up a").split(separator: "\n").prefix(5)
        #expect(lines.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } } == times)
    }

    @Test(
        "the pause outside",
        arguments: [
            // The finger leaves by less than 4 mm, which causes no pause.
            ("+50ms; move a 83.9,20; +160ms; up a", [200]),
            // The finger leaves and does not return.
            ("+50ms; move a 84,20; +900ms; up a", []),
            // If the finger returns before the first repetition is due, the repetition is not delayed. If it returns
            // later, a repetition follows after one interval.
            ("+50ms; move a 90,20; +149ms; move a 60,20; +99ms; up a", [200]),
            ("+50ms; move a 90,20; +150ms; move a 60,20; +99.999ms; up a", []),
            ("+50ms; move a 90,20; +150ms; move a 60,20; +100ms; up a", [300]),
            ("+210ms; move a 90,20; +10ms; move a 60,20; +110ms; up a", [200, 320]),
            // The finger returns to within 4 mm of the shape, but not into it, so the pause continues.
            ("+50ms; move a 84,20; +10ms; move a 82,20; +500ms; up a", []),
        ] as [(String, [Int])])
    func pauses(script: String, times: [Int]) {
        let gesture = repeating { $0.delay = .milliseconds(200) }
        let expected = times.enumerated().map { "\($1) repeat \($0 + 1) held \($1)" }.joined(separator: "\n")
        #expect(simulate(button(gesture), "down a 60,20; \(script)") == expected)
    }

    @Test("a repeat follows the first contact; another contact neither stops nor continues it")
    func firstContact() {
        let gesture = repeating { $0.delay = .milliseconds(200) }
        #expect(
            simulate(button(gesture), "down a 60,20; +100ms; down b 70,20; +110ms; up b; +90ms; up a")
                == "200 repeat 1 held 200\n300 repeat 2 held 300")
        #expect(simulate(button(gesture), "down a 60,20; +100ms; down b 70,20; +10ms; up a; +900ms; up b") == "")
    }
}
