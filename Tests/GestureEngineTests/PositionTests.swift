// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The position, the number of fingers and the sequence of an event.
@Suite("Position, fingers, sequence")
struct PositionTests {
    /// Returns a line `TIME x,y fingers sequence` for each event.
    private func places(_ regions: [Region], _ script: String, updates: Bool = true) -> [String] {
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        engine.reportsUpdates = updates
        var events: [GestureEvent] = []
        var time = Timestamp(microseconds: 0)
        for step in TouchScript(script).steps {
            switch step {
            case .wait(let interval): time = time + interval
            case .frame(let changes): engine.process(TouchFrame(time: time, changes: changes), into: &events)
            case .advance, .reload, .updates, .failures: break
            }
        }
        engine.advance(to: .never, into: &events)
        return events.map { event in
            let (x, y) = ((event.position.x * 10).rounded() / 10, (event.position.y * 10).rounded() / 10)
            return "\(event.time.microseconds / 1000) \(x),\(y) \(event.fingers) #\(event.sequence.rawValue)"
        }
    }

    @Test("a press: the centroid of the contacts, including the one that lifts")
    func press() {
        #expect(
            places(
                [region([GestureTestSupport.press])],
                "down a 10,10; +10ms; down b 30,20; +10ms; up a; +10ms; move b 40,20; up b; down c 1,1; up c")
                == ["0 10.0,10.0 1 #1", "30 40.0,20.0 1 #1", "30 1.0,1.0 1 #2", "30 1.0,1.0 1 #2"])
        #expect(
            places([region([GestureTestSupport.press])], "down a 10,10 & down b 30,20; +10ms; up a & up b").last
                == "10 30.0,20.0 1 #1")
    }

    @Test("a pinch: lifts do not move the position of the end", arguments: [true, false])
    func focus(updates: Bool) {
        let regions = [region([pinch()])]
        let three = """
            down a 80,40 & down b 100,40 & down c 90,70; +10ms; move a 70,40 & move b 110,40 & move c 90,100; +10ms
            """
        #expect(
            places(regions, three + "; up a & up b & up c", updates: updates)
                == ["10 90.0,60.0 3 #1", "20 90.0,60.0 2 #1"])
        #expect(
            places(regions, three + "; up a; +10ms; up b & up c", updates: updates)
                == ["10 90.0,60.0 3 #1", "30 90.0,60.0 2 #1"])
        // A finger that joins does not move the position either.
        #expect(
            places(regions, three + "; down d 150,10; +10ms; up a & up b & up c & up d", updates: updates)
                == ["10 90.0,60.0 3 #1", "30 90.0,60.0 2 #1"])
    }

    @Test("a tap: the mean position of the lifts, and the configured number of fingers")
    func tap() {
        #expect(
            places(
                [region([GestureTestSupport.tap(fingers: 2)])],
                "down a 10,10 & down b 30,20; +9ms; move a 12,10; up a; +9ms; move b 32,22; up b")
                == ["18 22.0,16.0 2 #1"])
    }

    @Test("a tap that waited has the position and the sequence of its own time")
    func waiting() {
        #expect(
            places(
                [region([GestureTestSupport.tap(wait: true), GestureTestSupport.tap(count: 2)])],
                "down a 10,10; +9ms; up a; +100ms; down b 60,60; +9ms; up b")
                == ["109 10.0,10.0 1 #1", "518 60.0,60.0 1 #2"])
    }

    @Test("a long press: the position where it is held")
    func longPress() {
        #expect(
            places(
                [region([GestureTestSupport.longPress(fingers: 2)])],
                "down a 10,10 & down b 30,20; +600ms; move a 50,50; +9ms; up a; up b")
                == ["500 20.0,15.0 2 #1", "609 40.0,35.0 2 #1"])
    }

    @Test("a drag, a pinch, a swipe: the centroid")
    func motions() {
        #expect(
            places([region([drag()])], "down a 10,10; +9ms; move a 20,10; +9ms; down b 40,30; +9ms; up a; +9ms; up b")
                == ["9 20.0,10.0 1 #1", "36 30.0,20.0 1 #1"])
        #expect(
            places([region([pinch()])], "down a 10,10 & down b 30,10; +9ms; move b 50,10; +9ms; up a; up b")
                == ["9 30.0,10.0 2 #1", "18 30.0,10.0 2 #1"])
        #expect(
            places(
                [region([swipe(fingers: 2)])],
                "down a 10,10 & down b 10,30; +9ms; move a 30,10 & move b 30,30; up a; up b")
                == ["9 30.0,20.0 2 #1"])
    }

    @Test("each region has its own sequences; numbers are never reused")
    func sequences() {
        let regions = [
            region("list", [GestureTestSupport.press]),
            region("item", (0, 0, 50, 50), parent: 0, [GestureTestSupport.tap()]),
        ]
        let lines = places(regions, "down a 10,10; +9ms; up a; +100ms; down b 10,10; +9ms; up b")
        #expect(lines.map { $0.split(separator: " ").last } == ["#2", "#1", "#2", "#4", "#3", "#4"])
    }

    @Test("in an ancestor: the contacts of all regions below")
    func ancestors() {
        let regions = [
            region("list", [drag(fingers: 2)]), region("left", (0, 0, 50, 100), parent: 0, []),
            region("right", (50, 0, 50, 100), parent: 0, []),
        ]
        #expect(
            places(regions, "down a 40,50 & down b 60,50; +9ms; move a 50,50 & move b 70,50; up a & up b").map {
                $0.split(separator: "#")[0]
            } == ["9 60.0,50.0 2 ", "9 60.0,50.0 1 "])
    }
}
