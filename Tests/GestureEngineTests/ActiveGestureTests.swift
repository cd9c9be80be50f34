// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Queries between frames: the gestures in progress and the owner of a contact.
@Suite("Active gestures")
struct ActiveGestureTests {
    private func frame(_ ms: Int64, _ id: Int64, _ kind: ContactChange.Kind, _ x: Double) -> TouchFrame {
        TouchFrame(
            time: Timestamp(microseconds: ms * 1000),
            changes: [ContactChange(id: ContactID(id), kind: kind, position: Point(x: x, y: 50))])
    }

    @Test("continuous gestures in progress, and the owner of a contact")
    func active() {
        let regions = [
            region("list", [drag { $0.axis = .vertical }, tap(), swipe()]),
            region("item", (50, 20, 100, 60), parent: 0, [press, longPress(), drag(), repeating(), pinch(), rotate()]),
        ]
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        func names(_ engine: borrowing GestureEngine) -> [String] {
            var names: [String] = []
            engine.forEachActive { region, gesture, sequence in
                names.append("\(regions[region].id).\(regions[region].gestures[gesture].name) #\(sequence.rawValue)")
            }
            return names
        }
        var events: [GestureEvent] = []
        #expect(names(engine) == [])
        engine.process(frame(0, 1, .landed, 60), into: &events)
        #expect(names(engine) == ["item.press #1"])
        #expect(engine.owner(of: ContactID(1)) == 1)
        #expect(engine.owner(of: ContactID(2)) == nil)
        engine.advance(to: Timestamp(microseconds: 500_000), into: &events)
        #expect(names(engine) == ["item.press #1", "item.long_press #1"])
        engine.process(frame(510, 1, .moved, 90), into: &events)
        #expect(names(engine) == ["item.press #1", "item.long_press #1", "item.drag #1"])
        engine.process(frame(520, 1, .lifted, 90), into: &events)
        #expect(names(engine) == [])
        #expect(engine.owner(of: ContactID(1)) == nil)
    }

    @Test("a press that is kept back is not in progress")
    func withheld() {
        let regions = [region(rules: [Gesture(press, unless: ["drag"]), Gesture(drag())])]
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        engine.process(frame(0, 1, .landed, 60), into: &events)
        var count = 0
        engine.forEachActive { _, _, _ in count += 1 }
        #expect(count == 0 && events.isEmpty)
    }

    @Test("deeply nested regions all receive a contact")
    func deep() {
        var regions: [Region] = []
        for level in 0..<9 {
            let inset = Double(level) * 5
            regions.append(
                region(
                    "r\(level)", (inset, inset, 200 - 2 * inset, 100 - 2 * inset), parent: regions.regionIndices.last,
                    [tap(count: level + 1)]))
        }
        let engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        #expect(engine.route(at: Point(x: 100, y: 50)).regions == regions.regionIndices.reversed())
        // The table of contacts grows when the second contact lands; the first one must stay in it.
        let taps = "down z 1,1; " + (0..<9).map { "down a\($0) 100,50; +9ms; up a\($0); +50ms" }.joined(separator: "; ")
        #expect(simulate(regions, taps + "; up z").contains("r8.tap9"))
        let presses = regions.map { region -> Region in
            var region = region
            region.gestures = [Gesture(drag())]
            return region
        }
        // The innermost region has claimed one contact, so the outermost region drags only with the other one.
        #expect(
            simulate(presses, "down z 1,1; down a 100,50; +9ms; move a 110,50; +9ms; move z 30,1; up a; up z")
                == "9 r8.drag begin 0.0,0.0\n18 r0.drag begin 0.0,0.0\n18 r8.drag end 7.0,0.0\n18 r0.drag end 26.0,0.0")
    }
}
