// SPDX-License-Identifier: MIT
import GestureEngine
@testable import GestureLaws
import GestureTestSupport
import Testing

/// Tests of the law on the order of lines: the opposite order of a frame's events is found to be wrong.
@Suite("Law on the order of lines")
struct OrderLawTests {
    private static let nested = [
        region("list", [tap(), drag { $0.axis = .vertical }]), region("button", (50, 20, 40, 20), parent: 0, [press]),
    ]
    private static let keys = [region("k1", (0, 0, 20, 20), [press]), region("k2", (20, 0, 20, 20), [press])].map {
        $0.with { $0.capture = .follow }
    }

    @Test(
        "finds the opposite order of",
        arguments: [
            (
                "contacts", [region("left", (0, 0, 100, 100), [press]), region("right", (100, 0, 100, 100), [press])],
                "down a 10,10 & down b 150,10"
            ),
            ("regions", nested, "down a 60,30; +50ms; up a"),
            ("kinds at a landing", [region([press, drag { $0.start = 0 }])], "down a 10,10"),
            (
                "kinds at a movement", [region("r", (0, 0, 50, 50), [press, drag()])],
                "down a 10,10; +10ms; move a 20,10; +10ms; move a 60,10"
            ),
            ("kinds at a lift", [region([press, tap()])], "down a 10,10; +50ms; up a"),
            ("kinds at a cancel", [region([press, drag { $0.start = 0 }])], "down a 10,10; +50ms; cancel a palm"),
            ("a claim", nested, "down a 60,30; +50ms; move a 60,50"),
            ("a handover", keys, "down a 10,10; +50ms; move a 30,10"),
            (
                "a pattern", [region([tap()]), region("p", pass: true, [pattern(["tap r"])])],
                "down a 10,10; +50ms; up a"
            ),
        ] as [(String, [Region], String)])
    func opposite(name: String, regions: [Region], touches: String) {
        let world = LawWorld(regions)
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        let script = TouchScript(touches)
        var time = Timestamp(microseconds: 0)
        var problems: [String?] = []
        for step in script.steps {
            switch step {
            case .wait(let interval): time = time + interval
            case .frame(let changes):
                var order = OrderLaws()
                var events: [GestureEvent] = []
                order.prepare(changes, down: script.ids.values, engine)
                engine.process(TouchFrame(time: time, changes: changes), into: &events)
                #expect(order.problem(events[...], world, engine) == nil)
                let reversed = Array(events.reversed())
                problems.append(order.problem(reversed[...], world, engine))
            case .advance, .reload, .updates, .failures: Issue.record("not in these scripts")
            }
        }
        #expect(problems.last ?? nil != nil, "\(problems)")
    }
}
