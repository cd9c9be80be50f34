// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Drawn shapes.
@Suite("Strokes")
struct StrokeTests {
    private static let vee: [(Double, Double)] = [(0, 0), (1, 2), (2, 0)]
    private static let check: [(Double, Double)] = [(0, 2), (1, 3), (3, 0)]

    private func vee(_ change: (inout StrokeSettings) -> Void = { _ in }) -> GestureSettings {
        stroke(Self.vee, change)
    }

    /// A script that draws a path with a point every 10 ms.
    /// - Parameter degrees: the angle by which it is turned clockwise.
    private func draw(
        _ points: [(Double, Double)], at origin: Point = Point(x: 60, y: 20), scale: Double = 15,
        turned degrees: Double = 0,
        contact: String = "a"
    ) -> String {
        // Rotations are given by their tangents, because the engine's tests do not link libm.
        let (cosine, sine) = Self.turns[degrees] ?? (1, 0)
        let corners = points.map { x, y in
            origin + Vector(dx: x * cosine - y * sine, dy: x * sine + y * cosine) * scale
        }
        var moves: [String] = []
        for (from, to) in zip(corners, corners.dropFirst()) {
            for step in 1...10 {
                let point = from + (to - from) * (Double(step) / 10)
                moves.append("+10ms; move \(contact) \(point.x),\(point.y)")
            }
        }
        return "down \(contact) \(corners[0].x),\(corners[0].y); \(moves.joined(separator: "; ")); up \(contact)"
    }

    /// The cosine and the sine of angles in degrees.
    private static let turns: [Double: (Double, Double)] = [
        12: (0.978_147_6, 0.207_911_7), -12: (0.978_147_6, -0.207_911_7), 45: (0.707_106_8, 0.707_106_8),
        90: (0, 1), 180: (-1, 0),
    ]

    /// The result of the gestures of one region that covers the panel, without times.
    private func result(_ gestures: [GestureSettings], _ script: String) -> String {
        simulate([region(gestures)], script, failures: true).split(separator: "\n")
            .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }.joined(separator: ", ")
    }

    @Test("place and size do not matter", arguments: [(10.0, 10.0, 8.0), (60, 20, 15), (100, 10, 40)])
    func size(x: Double, y: Double, scale: Double) {
        let script = draw(Self.vee, at: Point(x: x, y: y), scale: scale)
        #expect(result([vee()], script) == "stroke score 1.0 after 200")
    }

    @Test("the direction of drawing matters, unless a template is given for each")
    func direction() {
        let backwards = Array(Self.vee.reversed())
        #expect(result([vee()], draw(backwards)).hasPrefix("stroke failed: lowScore"))
        let both = vee { $0.templates += [StrokeTemplate(backwards.map { Point(x: $0.0, y: $0.1) })] }
        #expect(result([both], draw(backwards)) == "stroke score 1.0 after 200")
        #expect(result([both], draw(Self.vee)) == "stroke score 1.0 after 200")
    }

    private static let square: [(Double, Double)] = [(0, 0), (2, 0), (2, 2), (0, 2), (0, 0)]

    @Test("a shape whose ends meet may be drawn from every start, in both directions, unless closed = false")
    func closed() {
        let (closed, strict) = (stroke(Self.square), stroke(Self.square) { $0.closed = false })
        let corners = Self.square.dropLast()
        for start in corners.indices {
            let path = (0...4).map { corners[(start + $0) % 4] }
            for (place, path) in [path, Array(path.reversed())].enumerated() {
                #expect(result([closed], draw(path)).hasPrefix("stroke score"), "\(path)")
                #expect(result([strict], draw(path)).hasPrefix("stroke score") == (start + place == 0), "\(path)")
            }
        }
        let middle: [(Double, Double)] = [(1, 0), (2, 0), (2, 2), (0, 2), (0, 0), (1, 0)]
        #expect(result([closed], draw(middle)).hasPrefix("stroke score 0.98"))
        #expect(result([closed], draw(middle.reversed())).hasPrefix("stroke score 0.98"))
        // It does not become another shape.
        #expect(result([closed], draw(Self.vee)).contains("lowScore"))
        #expect(result([stroke([(0, 0), (1, 0), (0, 0)])], draw([(0, 0), (3, 0)])).contains("lowScore"))
    }

    @Test(
        "the ends of a template meet if they are closer than 15 % of its length",
        arguments: [(5.2, true), (5.3, false)])
    func ends(gap: Double, isClosed: Bool) {
        let template: [(Double, Double)] = [(0, 0), (10, 0), (10, 10), (0, 10), (0, gap)]
        let path: [(Double, Double)] = [(2, 2), (0, 2), (0, 0), (2, 0), (2, 2)]
        #expect(result([stroke(template)], draw(path)).hasPrefix("stroke score") == isClosed)
    }

    @Test("a shape may be turned by up to `rotation`")
    func rotation() {
        #expect(result([vee()], draw(Self.vee, turned: 12)) == "stroke score 1.0 after 200")
        #expect(result([vee()], draw(Self.vee, turned: -12)) == "stroke score 1.0 after 200")
        #expect(result([vee()], draw(Self.vee, at: Point(x: 100, y: 20), turned: 45)).contains("lowScore"))
        for degrees in [12.0, 45, 90, 180] {
            let script = draw(Self.vee, at: Point(x: 100, y: 50), turned: degrees)
            #expect(result([vee { $0.rotation = 180 }], script) == "stroke score 1.0 after 200", "\(degrees)")
        }
        let strict = vee { ($0.rotation, $0.minScore) = (0, 0.95) }
        #expect(result([strict], draw(Self.vee, turned: 12)).contains("lowScore"))
        // Beyond the limit, the score counts from the limit: 12° more than 0° cost 12/90.
        #expect(result([vee { $0.rotation = 0 }], draw(Self.vee, turned: 12)) == "stroke score 0.867 after 200")
    }

    @Test("a straight line is a shape, too")
    func line() {
        let across = stroke([(0, 0), (1, 0)])
        #expect(result([across], draw([(0, 0), (2, 0)])) == "stroke score 1.0 after 100")
        #expect(result([across], draw([(2, 0), (0, 0)])).contains("lowScore 0.0 / 0.7"))
        #expect(result([across], draw([(0, 0), (0, 2)])).contains("lowScore"))
        // There and back again is not a line.
        #expect(result([across], draw([(0, 0), (2, 0), (0, 0)])).contains("lowScore"))
        #expect(
            result([stroke([(0, 0), (2, 0), (0, 0)])], draw([(0, 0), (3, 0), (0, 0)])) == "stroke score 1.0 after 200")
    }

    @Test("a path must be at least `min_length` long")
    func length() {
        let script = "down a 60,30; +9ms; move a 62.2,34.4; +9ms; move a 64.4,30; up a"
        #expect(result([vee()], script) == "stroke failed: tooShort 9.8 / 10.0")
        #expect(result([vee { $0.minLength = 9.8 }], script) == "stroke score 1.0 after 18")
        #expect(result([vee()], script.replacing("34.4", with: "34.5")).hasPrefix("stroke score"))
        #expect(result([vee { $0.minLength = 0 }], "down a 60,30; +9ms; up a") == "stroke failed: lowScore 0.0 / 0.7")
    }

    /// With points 1.5 mm apart, these scored 0.76, 0.87, 0.80 and 0.92.
    @Test("the corners of a small shape are kept", arguments: [0.8, 1, 1.5, 2])
    func small(scale: Double) {
        let strict = stroke([(0, 0), (1, 3), (2, 1), (3, 3), (4, 0)]) { ($0.minScore, $0.minLength) = (0.93, 8) }
        let script = draw([(0, 0), (1, 3), (2, 1), (3, 3), (4, 0)], scale: scale)
        #expect(result([strict], script).hasPrefix("stroke score"))
    }

    @Test("a second finger that moves makes it fail, but one that rests, or a palm, does not")
    func fingers() {
        let script = draw(Self.vee)
        for move in ["", "; move b 150,84; +9ms"] {
            let expected = move.isEmpty ? "stroke score" : "stroke failed: tooManyContacts 2.0 / 1.0"
            let second = script.replacing("; up a", with: "; down b 150,80; +9ms\(move); up a; up b")
            #expect(result([vee()], second).hasPrefix(expected))
            let other = script.replacing("; up a", with: "; down b 150,80; +9ms\(move); up b; +9ms; up a")
            #expect(result([vee()], other).hasPrefix(expected))
        }
        let thumb = "down b 150,80; +9ms; " + script + "; up b"
        #expect(result([vee()], thumb) == "stroke score 1.0 after 200")
        #expect(result([vee(), vee()], thumb).contains("stroke score 1.0 after 200"))
        let palm = script.replacing("down a 60.0,20.0;", with: "down a 60.0,20.0; down p 150,80; +9ms;")
            .replacing("; up a", with: "; cancel p palm; +9ms; up a")
        #expect(result([vee()], palm) == "stroke score 1.0 after 218")
        let first =
            "down p 150,80; +9ms; " + script.replacing("; +10ms;", with: "; cancel p palm; +10ms;", maxReplacements: 1)
        #expect(result([vee()], first) == "stroke score 1.0 after 200")
        #expect(result([vee()], script.replacing("; up a", with: "; cancel a syncLost")) == "stroke failed: syncLost")
    }

    @Test("of several strokes, only the best is recognized")
    func best() {
        let strokes = [stroke([(0, 0), (1, 1.7), (2.3, 0)]), vee(), stroke(Self.check)]
        let drawn = result(strokes, draw(Self.vee)).split(separator: ", ")
        #expect(drawn.filter { $0.contains("score 1.0 ") } == ["stroke score 1.0 after 200"])
        #expect(drawn.count == 3)
        #expect(drawn.contains { $0.contains("outscored") })
        #expect(drawn.contains { $0.contains("lowScore") })
        // If two are equal, the first in the configuration is recognized.
        let equal = [Gesture(vee(), name: "one"), Gesture(vee(), name: "two")]
        let lines = simulate([region(rules: equal)], draw(Self.vee), failures: true)
        #expect(lines == "200 two failed: outscored 1.0 / 1.0\n200 one score 1.0 after 200")
    }

    @Test("another gesture can wait for a stroke, and comes at the same lift")
    func unless() {
        let gestures = [Gesture(vee(), name: "vee"), Gesture(swipe(), unless: ["vee"])]
        #expect(simulate([region(rules: gestures)], draw(Self.vee)) == "200 vee score 1.0 after 200")
        let line = draw([(0, 0), (3, 0)])
        #expect(simulate([region(rules: gestures)], line) == "100 swipe right 45.0 mm")
    }

    @Test("with `after`, the path starts when the other gesture is recognized")
    func after() {
        let gestures = [Gesture(longPress(), name: "hold"), Gesture(vee(), after: ["hold"])]
        let script = draw(Self.vee).replacing("; +10ms;", with: "; +600ms;", maxReplacements: 1)
        let lines = simulate([region(rules: gestures)], script)
        #expect(lines == "500 hold begin\n790 stroke score 1.0 after 290\n790 hold end held 790")
        // The path before does not count.
        let late = [
            Gesture(tap(fingers: 1), name: "tap"), Gesture(drag(), name: "pan"), Gesture(vee(), after: ["pan"]),
        ]
        let hook = draw([(0, -0.25), (0, 0), (1, 2), (2, 0)])
        #expect(simulate([region(rules: late)], hook, updates: false).contains("stroke score 0.9"))
    }

    @Test("a long path is thinned, and its shape is kept")
    func thinning() {
        // Three times around a square: 720 mm, with a point every 6 mm.
        var square: [(Double, Double)] = []
        for _ in 0..<3 { square += [(0, 0), (4, 0), (4, 4), (0, 4)] }
        square.append((0, 0))
        let strict = stroke(square) { $0.minScore = 0.95 }
        #expect(result([strict], draw(square, at: Point(x: 60, y: 10))).hasPrefix("stroke score"))
        #expect(result([vee()], draw(square, at: Point(x: 60, y: 10))).contains("lowScore"))
    }

    @Test("a single report in which the contact jumps does not count")
    func jump() {
        let script = draw(Self.vee).replacing(
            "; +10ms; move a 64.5", with: "; +10ms; move a 190,90; +10ms; move a 64.5")
        #expect(script.contains("190,90"))
        #expect(result([vee()], script) == "stroke score 1.0 after 210")
    }

    @Test("it claims its contact at the lift, unless a drag around it has claimed it before")
    func claims() {
        let inside = draw(Self.vee)
        func play(_ outer: [GestureSettings]) -> String {
            simulate([region("outer", outer), region("inner", (50, 10, 100, 80), parent: 0, [vee()])], inside)
        }
        #expect(play([tap { $0.slop = 500 }]) == "200 inner.stroke score 1.0 after 200")
        #expect(play([swipe { $0.minVelocity = 0 }]) == "200 inner.stroke score 1.0 after 200")
        #expect(play([vee()]) == "200 inner.stroke score 1.0 after 200")
        #expect(!play([drag()]).contains("stroke"))
    }

    @Test("with contacts = \"each\", two people draw at once")
    func each() {
        var region = region([vee(), stroke(Self.check)])
        region.contacts = .each
        let one = draw(Self.vee, at: Point(x: 10, y: 10)).split(separator: "; ")
        let two = draw(Self.check, at: Point(x: 120, y: 10), scale: 10, contact: "b").split(separator: "; ")
        let script = zip(one, two).map { $0.hasPrefix("+") ? "\($0)" : "\($0) & \($1)" }.joined(separator: "; ")
        #expect(simulate([region], script) == "200 stroke score 1.0 after 200\n200 stroke score 1.0 after 200")
    }

    @Test("a stroke reports where and how long it was drawn")
    func detail() throws {
        var engine = GestureEngine([region([vee()])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        let script: [(Int64, ContactChange.Kind, Double, Double)] = [
            (0, .landed, 60, 30), (50, .moved, 70, 50), (100, .moved, 80, 30), (200, .lifted, 80, 30),
        ]
        for (time, kind, x, y) in script {
            let change = ContactChange(id: ContactID(1), kind: kind, position: Point(x: x, y: y))
            engine.process(
                TouchFrame(time: Timestamp(microseconds: time * 1000), changes: [change]), into: &events)
        }
        let event = try #require(events.first)
        guard case .stroke(let score, let duration, let start) = event.detail else {
            Issue.record("\(event)")
            return
        }
        #expect(score > 0.999 && score <= 1)
        #expect(duration == .milliseconds(200) && start == Point(x: 60, y: 30))
        #expect(event.position == Point(x: 80, y: 30) && event.fingers == 1 && events.count == 1)
    }
}
