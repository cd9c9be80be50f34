// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Arbitration between regions")
struct ArbitrationTests {
    @Test("abutting regions have one owner for every point")
    func halfOpen() {
        let regions = [region("left", (0, 0, 50, 100), [press]), region("right", (50, 0, 50, 100), [press])]
        #expect(simulate(regions, "down a 49.999,10; up a") == "0 left.press begin\n0 left.press end inside held 0")
        #expect(simulate(regions, "down a 50,10; up a") == "0 right.press begin\n0 right.press end inside held 0")
    }

    @Test("the topmost region owns a contact until it lifts, wherever it moves")
    func capture() {
        let regions = [region("below", [press]), region("above", (50, 0, 50, 100), [press])]
        #expect(
            simulate(regions, "down a 60,10; +10ms; move a 10,10; +10ms; up a")
                == "0 above.press begin\n10 above.press update outside\n20 above.press end outside held 20")
    }

    @Test("z takes precedence over the order in the file")
    func z() {
        var high = region("high", [tap()])
        high.z = 1
        #expect(simulate([high, region("late", [tap()])], "down a 60,10; +50ms; up a") == "50 high.tap after 50")
    }

    @Test("a drawn shape takes precedence over a margin")
    func margin() {
        var wide = region("wide", (50, 0, 20, 20), [tap()])
        wide.margin = 2
        let regions = [region("other", (70, 0, 20, 20), [tap()]), wide]
        #expect(simulate(regions, "down a 49,10; +50ms; up a") == "50 wide.tap after 50")
        #expect(simulate(regions, "down a 47.9,10; +50ms; up a") == "")
        #expect(simulate(regions, "down a 71,10; +50ms; up a") == "50 other.tap after 50")
    }

    @Test("a child that its parent clips completely does no harm and owns no point", arguments: [-500.0, 500])
    func clippedToNothing(place: Double) {
        let parent = region("parent", (40, 40, 20, 20), [press])
        var child = region("child", (place, place, 5, 5), [press])
        child.parent = 0
        child.clip = Rectangle(minX: 40, minY: 40, maxX: 60, maxY: 60)
        // These regions give the grid more than one cell.
        let others = (0..<4).map { region("other \($0)", (0, Double($0) * 5, 5, 5), [press]) }
        let lines = simulate([parent, child] + others, "down a 50,50; up a")
        #expect(lines == "0 parent.press begin\n0 parent.press end inside held 0")
    }

    @Test("a region that passes receives contacts that other regions own")
    func pass() {
        let regions = [region("screen", pass: true, [tap(fingers: 2)]), region("ok", (50, 0, 50, 50), [press])]
        #expect(
            simulate(regions, "down a 60,10; +10ms; down b 150,80; +50ms; up a & up b")
                == """
                0 ok.press begin
                60 ok.press end inside held 60
                60 screen.2-finger tap after 60
                """)
    }

    @Test("a region that is switched off has no effect")
    func disabled() {
        var off = region("off", [tap()])
        off.isEnabled = false
        #expect(
            simulate([region("below", [tap()]), off], "down a 60,10; +50ms; up a") == "50 below.tap after 50")
    }

    @Test("the list scrolls and the button's press is cancelled")
    func scrollingList() {
        let list = region("list", [drag { $0.axis = .vertical }])
        let button = region("button", (50, 20, 40, 20), parent: 0, [press, tap(), longPress(), repeating()])
        #expect(
            simulate([list, button], "down a 60,30; +50ms; up a")
                == "0 button.press begin\n50 button.tap after 50\n50 button.press end inside held 50")
        #expect(
            simulate([list, button], "down a 60,30; +20ms; move a 60,40; +900ms; up a")
                == """
                0 button.press begin
                20 button.press cancel claimed inside held 20
                20 list.drag begin 0.0,0.0
                920 list.drag end 0.0,7.0
                """)
    }

    @Test("a list that is swiped suppresses the tap on its button")
    func swipedList() {
        let list = region("list", [swipe()])
        let button = region("button", (50, 20, 40, 20), parent: 0, [press])
        #expect(
            simulate([list, button], "down a 60,30; +10ms; move a 70,30; +10ms; move a 80,30; +10ms; up a")
                == """
                0 button.press begin
                30 button.press cancel claimed inside held 30
                30 list.swipe right 20.0 mm
                """)
    }

    @Test("a horizontally dragged slider inside a vertically scrolling list")
    func sliderInList() {
        let list = region("list", [drag { $0.axis = .vertical }])
        let slider = region("slider", (50, 20, 100, 20), parent: 0, [press, drag { $0.axis = .horizontal }])
        #expect(
            simulate(
                [list, slider], "down a 60,30; +20ms; move a 70,30; +20ms; move a 70,60; +20ms; up a", updates: false)
                    == """
                    0 slider.press begin
                    20 slider.drag begin 0.0,0.0
                    40 slider.press update outside
                    60 slider.drag end 7.0,30.0
                    60 slider.press end outside held 60
                    """)
        #expect(
            simulate([list, slider], "down a 60,30; +20ms; move a 60,40; +20ms; up a", updates: false)
                == """
                0 slider.press begin
                20 slider.press cancel claimed inside held 20
                20 list.drag begin 0.0,0.0
                40 list.drag end 0.0,7.0
                """)
    }

    @Test("a two-finger tap takes the sequence from one-finger gestures")
    func multiTouch() {
        let regions = [region([press, tap(), tap(fingers: 2)])]
        #expect(
            simulate(regions, "down a 60,30; +20ms; down b 90,30; +50ms; up a; +10ms; up b")
                == "0 press begin\n80 press cancel multiTouch inside held 80\n80 2-finger tap after 80")
    }

    @Test("an ancestor's press, tap and long press come only if no nearer region has the same gesture")
    func shadows() {
        let parent = region("parent", [press, tap(), longPress()])
        let child = region("child", (50, 20, 40, 20), parent: 0, [tap()])
        #expect(
            simulate([parent, child], "down a 60,30; +50ms; up a")
                == "0 parent.press begin\n50 child.tap after 50\n50 parent.press end inside held 50")
        #expect(
            simulate([parent, child], "down a 10,30; +50ms; up a")
                == "0 parent.press begin\n50 parent.tap after 50\n50 parent.press end inside held 50")
    }

    @Test("order of the lines of a lift: drag, swipe, taps, long press, press")
    func order() {
        let regions = [
            region([
                press,
                longPress {
                    $0.delay = .milliseconds(50); $0.slop = 90
                },
                tap { $0.slop = 90 }, swipe(), drag(),
            ])
        ]
        #expect(
            simulate(
                regions, "down a 20,50; +10ms; move a 30,50; +10ms; move a 40,50; +10ms; move a 50,50; +5ms; up a",
                updates: false)
                    == """
                    0 press begin
                    10 drag begin 0.0,0.0
                    35 drag end 27.0,0.0
                    35 swipe right 30.0 mm
                    35 tap after 35
                    35 press end inside held 35
                    """)
    }
}

@Suite("Time, idleness and new regions")
struct EngineLifecycleTests {
    @Test("deadlines fire before the frame, each at its own time")
    func late() {
        let regions = [region([press, longPress(), repeating()])]
        let script = "down a 10,10; +650ms; up a"
        #expect(
            simulate(regions, script)
                == """
                0 press begin
                500 long_press begin
                500 repeat 1 held 500
                600 repeat 2 held 600
                650 long_press end held 650
                650 press end inside held 650
                """)
    }

    @Test("a frame that is older than the engine's time is processed at the engine's time")
    func backwards() {
        var engine = GestureEngine([region([tap()])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        func frame(_ microseconds: Int64, _ kind: ContactChange.Kind) -> TouchFrame {
            TouchFrame(
                time: Timestamp(microseconds: microseconds),
                changes: [ContactChange(id: ContactID(1), kind: kind, position: Point(x: 5, y: 5))])
        }
        engine.process(frame(100_000, .landed), into: &events)
        engine.process(frame(50_000, .lifted), into: &events)
        #expect(events.map(\.time.microseconds) == [100_000])
        let deadline = engine.nextDeadline
        #expect(deadline == nil)
    }

    @Test("when all gestures have ended, the engine is idle")
    func idle() {
        let regions = [
            region("list", [drag(), swipe(), press]), region("b", (50, 20, 40, 20), parent: 0, [tap(), tap(count: 2)]),
        ]
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        let isIdleBefore = engine.isIdle
        #expect(isIdleBefore)
        _ = simulate(&engine, "down a 60,30; +50ms; down b 10,10; +50ms; move a 90,30; +10ms; up a; +10ms; up b")
        let isIdle = engine.isIdle
        #expect(isIdle)
    }

    @Test("new regions cancel the gestures of changed regions only")
    func replace() {
        let old = [region("a", (0, 0, 50, 100), [press]), region("b", (50, 0, 50, 100), [press])]
        var changed = old
        changed[1].gestures.append(Gesture(name: "tap", word: "tap", settings: tap()))
        changed.insert(region("new", (150, 0, 10, 10), [tap()]), at: 0)
        var engine = GestureEngine(old, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        func frame(_ ms: Int64, _ changes: [(Int64, ContactChange.Kind, Double)]) -> TouchFrame {
            TouchFrame(
                time: Timestamp(microseconds: ms * 1000),
                changes: changes.map {
                    ContactChange(id: ContactID($0.0), kind: $0.1, position: Point(x: $0.2, y: 5))
                })
        }
        engine.process(frame(0, [(1, .landed, 10), (2, .landed, 60)]), into: &events)
        events = []
        engine.replaceRegions(changed, at: Timestamp(microseconds: 10_000), into: &events)
        #expect(events.count == 1)
        #expect(events.first?.region == 1)
        #expect(events.first?.phase == .cancel(.reload))
        events = []
        engine.process(frame(20, [(1, .lifted, 10), (2, .lifted, 60)]), into: &events)
        #expect(events.map(\.region) == [1])
        #expect(events.map(\.phase) == [.end])
        let isIdle = engine.isIdle
        #expect(isIdle)
    }
}
