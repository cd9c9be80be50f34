// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Journal of simulations")
struct JournalTests {
    @Test("every setting of every kind is written", arguments: GestureKind.allCases)
    func complete(kind: GestureKind) throws {
        var settings = GestureSettings(standard: kind)
        let payload = try #require(Mirror(reflecting: settings).children.first).value
        var words = SettingsWords()
        settings.pass(through: &words)
        // One more: the kind.
        #expect(words.count == Mirror(reflecting: payload).children.count + 1)
    }

    @Test("everything of a region, a gesture and the arbitration is written")
    func completeRegion() {
        // A reference is two values of one; a shape is its form and what that takes, boxes are four.
        var region = Region()
        var words = SettingsWords()
        region.pass(through: &words)
        #expect(words.count == Mirror(reflecting: region).children.count + (1 + 4 - 1) + (4 - 1) * 2)
        var gesture = Gesture(name: "", word: "", settings: .press(PressSettings()))
        words = SettingsWords()
        gesture.pass(through: &words)
        #expect(words.count == Mirror(reflecting: gesture).children.count + 1)
        var arbitration = ArbitrationSettings()
        words = SettingsWords()
        arbitration.pass(through: &words)
        #expect(words.count == Mirror(reflecting: arbitration).children.count)
    }

    @Test("what is read is what was written")
    func roundTrip() {
        var swiping = SwipeSettings()
        swiping.directions = [.upLeft, .down]
        swiping.maxDeviation = 12.25
        swiping.when = .threshold
        var dragging = DragSettings()
        dragging.axis = .vertical
        dragging.from = .down
        var code = PatternSettings()
        code.steps = [.init(gesture: "double tap", region: "a\\s"), .init(gesture: "", region: "b\n% '")]
        var first = region(
            "first one", (0.1, 0.2, 1e-9, 100), pass: true,
            [.swipe(swiping), .drag(dragging), .pattern(code), .press(PressSettings(progress: .milliseconds(7)))])
        first.gestures[1].after = ["swipe"]
        first.gestures[2].unless = ["swipe", "drag"]
        first.gestures[3].exclusive = true
        first.capture = .follow
        first.isEnabled = false
        var second = region("", (5, 5, 5, 5), parent: 0, [tap(fingers: 2, count: 3, wait: true)])
        second.shape = .circle(center: Point(x: -1, y: 1e300), radius: 3)
        var third = second
        third.shape = .polygon([.zero, Point(x: 1, y: 0), Point(x: 0, y: 1)])
        var arbitration = ArbitrationSettings()
        arbitration.priority = [.pattern, .tap]
        arbitration.simultaneous = [
            .init(.init(region: "a", gesture: "pinch"), .init(region: "b", gesture: "rotate"))
        ]
        let simulation = Simulation(
            [first, second, third], arbitration: arbitration, bounds: first.bounds, reportsUpdates: false,
            script: "down a 1,1\n  +5ms; up a °")
        #expect(Simulation(line: simulation.line) == simulation)
        #expect(Simulation(line: String(simulation.line.dropLast())) != simulation)
        #expect(Simulation(line: simulation.line.split(separator: " ").dropLast().joined(separator: " ")) == nil)
    }

    @Test("playing tells what is as it was from what is not")
    func play() {
        let simulation = Simulation(
            [region([tap()])], arbitration: ArbitrationSettings(),
            bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100), reportsUpdates: true,
            script: "down a 1,1; +50ms; up a")
        var reports: [String] = []
        let good = "\(simulation.line)\n> 50 tap after 50\n"
        let wrong = "\(simulation.line)\n> 50 tap after 51\n"
        #expect(SimulationJournal.play(good + wrong + "nonsense\n" + good) { reports.append($0) } == 4)
        #expect(reports.count == 2)
        #expect(reports.first?.contains("must say:\n50 tap after 51\nsays:\n50 tap after 50") == true)
        #expect(reports.last == "cannot read: nonsense")
    }
}
