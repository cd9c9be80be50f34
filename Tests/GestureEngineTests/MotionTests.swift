// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// A stroke in steps of 10 ms.
private func stroke(_ from: (Double, Double), _ to: (Double, Double), steps: Int = 10, pause: Double = 0) -> String {
    var lines = ["down a \(from.0),\(from.1)"]
    for i in 1...steps {
        let t = Double(i) / Double(steps)
        lines.append("+10ms; move a \(from.0 + (to.0 - from.0) * t),\(from.1 + (to.1 - from.1) * t)")
    }
    lines.append("+\(pause)ms; up a")
    return lines.joined(separator: "\n")
}

@Suite("Drag")
struct DragTests {
    @Test(
        "begins, moves, ends",
        arguments: [
            ("down a 10,10; +10ms; move a 13,10; +10ms; up a", ""),
            (
                "down a 10,10; +10ms; move a 13.1,10; +10ms; up a",
                "10 drag begin 0.0,0.0\n20 drag end 0.1,0.0"
            ),
            (
                "down a 10,10; +10ms; move a 20,10; +10ms; move a 25,12; +10ms; up a",
                "10 drag begin 0.0,0.0\n20 drag update 12.0,2.0\n30 drag end 12.0,2.0"
            ),
            (
                "down a 10,10; +10ms; move a 20,10; +10ms; cancel a palm",
                "10 drag begin 0.0,0.0\n20 drag cancel palm 7.0,0.0"
            ),
            // The translation does not jump when another finger joins or lifts.
            (
                """
                down a 10,10; +10ms; move a 20,10; +10ms; down b 60,10; +10ms; move a 22,10 & move b 62,10
                +10ms; up a; +10ms; move b 63,10; +10ms; up b
                """,
                """
                10 drag begin 0.0,0.0
                30 drag update 9.0,0.0
                50 drag update 10.0,0.0
                60 drag end 10.0,0.0
                """
            ),
        ])
    func phases(script: String, transcript: String) {
        #expect(simulate([region([drag()])], script) == transcript)
    }

    @Test("without a start distance it begins at the landing")
    func atLanding() {
        #expect(
            simulate([region([drag { $0.start = 0 }])], "down a 10,10; +10ms; move a 11,10; +10ms; up a")
                == "0 drag begin 0.0,0.0\n10 drag update 1.0,0.0\n20 drag end 1.0,0.0")
    }

    @Test("from = down keeps the start distance")
    func fromDown() {
        #expect(
            simulate([region([drag { $0.from = .down }])], "down a 10,10; +10ms; move a 14,10; +10ms; up a")
                == "10 drag begin 0.0,0.0\n20 drag end 4.0,0.0")
    }

    @Test(
        "with an axis",
        arguments: [
            ("down a 10,10; +10ms; move a 14,14; +10ms; up a", "10 drag begin 0.0,0.0\n20 drag end 1.9,1.9"),
            ("down a 10,10; +10ms; move a 14,14.1; +10ms; move a 90,14; +10ms; up a", ""),
            (
                "down a 10,10; +10ms; move a 10,13; +10ms; move a 20,13; +10ms; up a",
                "20 drag begin 0.0,0.0\n30 drag end 7.1,2.1"
            ),
        ])
    func axis(script: String, transcript: String) {
        #expect(simulate([region([drag { $0.axis = .horizontal }])], script) == transcript)
    }

    @Test("two fingers: only with exactly two")
    func twoFingers() {
        let regions = [region([drag(fingers: 2)])]
        #expect(simulate(regions, "down a 10,10; +10ms; move a 60,10; +10ms; up a") == "")
        #expect(
            simulate(
                regions, "down a 10,10 & down b 40,10; +10ms; move a 20,10 & move b 50,10; +10ms; up a & up b")
                == "10 2-finger drag begin 0.0,0.0\n20 2-finger drag end 7.0,0.0")
    }

    @Test("movements of a two-finger drag are not updates of the one-finger drag")
    func twoFingersTakeOver() {
        let script = """
            down a 10,10; +10ms; move a 20,10; +10ms; down b 60,10
            +10ms; move a 30,10 & move b 70,10; +10ms; up a & up b
            """
        #expect(
            simulate([region([drag(), drag(fingers: 2)])], script)
                == """
                10 drag begin 0.0,0.0
                30 drag cancel multiTouch 17.0,0.0
                30 2-finger drag begin 0.0,0.0
                40 2-finger drag end 7.0,0.0
                """)
    }

    @Test("the end is predicted by half a second of velocity")
    func predicted() throws {
        var engine = GestureEngine([region([drag()])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        for i in 0...20 {
            let change = ContactChange(
                id: ContactID(1), kind: i == 0 ? .landed : .moved, position: Point(x: 10 + Double(i), y: 50))
            engine.process(
                TouchFrame(time: Timestamp(microseconds: Int64(i) * 10_000), changes: [change]), into: &events)
        }
        let lift = ContactChange(id: ContactID(1), kind: .lifted, position: Point(x: 30, y: 50))
        engine.process(TouchFrame(time: Timestamp(microseconds: 200_000), changes: [lift]), into: &events)
        let end = try #require(events.last)
        guard case .drag(_, let velocity, let start, let predicted?, _) = end.detail else {
            Issue.record("no prediction in \(end)")
            return
        }
        #expect((velocity.dx - 100).magnitude < 0.001)
        #expect(velocity.dy.magnitude < 0.001)
        #expect(start == Point(x: 10, y: 50))
        #expect((predicted.x - (30 + 49.9)).magnitude < 0.001)
    }

    /// At the end of such a drag, the parabola that is fitted to the last positions bends back, or the fingertip rolls
    /// back. A finger that moves back by more than 3 mm has turned around.
    @Test(
        "a drag that slows down ends with the mean velocity of the last 100 ms",
        arguments: [(1.0, 0.0), (-1, 0), (0, 1), (0.7, -0.3)], [98.7, 98.2, 95.5, 94])
    func forward(direction: (x: Double, y: Double), last: Double) throws {
        let (x, y) = direction
        var engine = GestureEngine([region([drag()])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        for (i, way) in [0, 30, 60, 80, 90, 95, 98, 98.5, last].enumerated() {
            let position = Point(x: 100 + x * way, y: 50 + y * way)
            let kind: ContactChange.Kind = i == 0 ? .landed : i == 8 ? .lifted : .moved
            engine.process(
                TouchFrame(
                    time: Timestamp(microseconds: Int64(i) * 10_000),
                    changes: [ContactChange(id: ContactID(1), kind: kind, position: position)]), into: &events)
        }
        let end = try #require(events.last)
        guard case .drag(_, let velocity, _, let predicted?, _) = end.detail else {
            Issue.record("no prediction in \(end)")
            return
        }
        let mean = Vector(dx: x, dy: y) * (last / 0.08)
        if (98.5 - last) * Vector(dx: x, dy: y).length <= 3 {
            #expect((velocity - mean).length < 0.001, "\(velocity), not \(mean)")
        } else {
            #expect(velocity.dx * x + velocity.dy * y <= 0, "\(velocity)")
        }
        #expect((predicted - (end.position + velocity * 0.499)).length < 0.001)
    }
}

@Suite("Swipe")
struct SwipeTests {
    @Test("a stroke that slows down has its mean speed of the last 100 ms")
    func slowsDown() {
        func lines(_ minVelocity: Double) -> String {
            let moves = (1...33).map { step in
                let left = 1 - Double(step) / 33
                return "+10ms; move a \(20 + 99 * (1 - left * left)),50"
            }
            return simulate(
                [region([swipe { $0.minVelocity = minVelocity }])],
                "down a 20,50; " + moves.joined(separator: "; ") + "; up a")
        }
        // In the last 100 of 330 ms, the finger covers (100 / 330)² of 99 mm.
        #expect(lines(90.9) == "330 swipe right 99.0 mm")
        #expect(lines(91) == "")
    }

    @Test(
        "limits, on both sides",
        arguments: [
            (stroke((20, 50), (60, 50)), "100 swipe right 40.0 mm"),
            (stroke((60, 50), (20, 50)), "100 swipe left 40.0 mm"),
            (stroke((60, 50), (60, 20)), "100 swipe up 30.0 mm"),
            (stroke((60, 20), (60, 50)), "100 swipe down 30.0 mm"),
            // A stroke at exactly 45° is horizontal.
            (stroke((60, 20), (80, 40)), "100 swipe right 28.3 mm"),
            (stroke((60, 20), (80, 40.1)), "100 swipe down 28.4 mm"),
            // `min_distance` is 10 mm.
            (stroke((20, 50), (30, 50)), "100 swipe right 10.0 mm"),
            (stroke((20, 50), (29.9, 50)), ""),
            // `max_time` is 500 ms.
            (stroke((20, 50), (90, 50), steps: 50), "500 swipe right 70.0 mm"),
            (stroke((20, 50), (90, 50), steps: 50, pause: 0.001), ""),
            // `min_velocity` is 80 mm/s.
            (stroke((20, 50), (44.01, 50), steps: 30), "300 swipe right 24.0 mm"),
            (stroke((20, 50), (43.99, 50), steps: 30), ""),
            // `rest` is 150 ms.
            (stroke((20, 50), (60, 50), pause: 150), "250 swipe right 40.0 mm"),
            (stroke((20, 50), (60, 50), pause: 151), ""),
        ])
    func limits(script: String, transcript: String) {
        #expect(simulate([region([swipe()])], script) == transcript)
    }

    @Test(
        "directions",
        arguments: [
            (SwipeSectorsCase.diagonal, stroke((20, 20), (50, 32.4)), "100 swipe right 32.5 mm"),
            (.diagonal, stroke((20, 20), (50, 32.5)), "100 swipe downRight 32.5 mm"),
            (.diagonal, stroke((50, 50), (20, 20)), "100 swipe upLeft 42.4 mm"),
            (.horizontalOnly, stroke((60, 50), (60, 20)), ""),
            (.horizontalOnly, stroke((60, 50), (20, 20)), "100 swipe left 50.0 mm"),
            (.strict, stroke((20, 50), (60, 67.9)), ""),
            (.strict, stroke((20, 50), (60, 60.7)), "100 swipe right 41.4 mm"),
            (.strict, stroke((20, 50), (60, 60.8)), ""),
        ])
    func directions(kind: SwipeSectorsCase, script: String, transcript: String) {
        #expect(simulate([region([swipe(kind.apply)])], script) == transcript)
    }

    enum SwipeSectorsCase: Sendable {
        case diagonal, horizontalOnly, strict

        func apply(_ settings: inout SwipeSettings) {
            switch self {
            case .diagonal: settings.directions = SwipeDirection.allCases
            case .horizontalOnly: settings.directions = [.left, .right]
            case .strict: settings.maxDeviation = 15
            }
        }
    }

    @Test("a second contact fails it, and a cancel never completes it")
    func fails() {
        let regions = [region([swipe()])]
        #expect(
            simulate(
                regions,
                "down a 20,50; +10ms; move a 40,50; +10ms; down b 80,80; +10ms; move a 60,50; +10ms; up a; up b")
                == "")
        #expect(simulate(regions, "down a 20,50; +10ms; move a 40,50; +10ms; move a 60,50; cancel a palm") == "")
    }

    @Test("n fingers: at the first lift")
    func twoFingers() {
        let regions = [region([swipe(fingers: 2)])]
        let script = """
            down a 20,30; +30ms; down b 20,60; +20ms; move a 30,30 & move b 30,60
            +20ms; move a 50,30 & move b 50,60; +20ms; up a; +30ms; up b
            """
        #expect(simulate(regions, script) == "90 2-finger swipe right 30.0 mm")
    }

    @Test("when = threshold: as soon as all limits hold")
    func threshold() {
        let regions = [region([swipe { $0.when = .threshold }])]
        #expect(simulate(regions, stroke((20, 50), (60, 50))) == "30 swipe right 12.0 mm")
    }

    @Test("positions that are read after lost events do not affect the velocity")
    func resynchronized() {
        let regions = [region([swipe()])]
        #expect(simulate(regions, "down a 20,50; +10ms; jump a 60,50; +10ms; up a") == "")
        // The velocity of a later movement does not include the jump either, because the time of the jump is unknown.
        #expect(simulate(regions, "down a 20,50; +10ms; jump a 60,50; +1ms; move a 61,50; up a") == "")
        let two = "down a 20,50; +10ms; move a 60,50; +1ms; move a 61,50; up a"
        #expect(simulate(regions, two) != "")
    }
}
