// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

/// The middle of the panel is at 100,50.
@Suite("Dial")
struct DialTests {
    @Test(
        "begins, turns, ends",
        arguments: [
            // 12 mm from the centre, 3 mm are 14.3°.
            (
                "down a 112,50; +9ms; move a 111.5,53.3; +9ms; move a 100,62; +9ms; up a",
                "9 dial begin 16.0°\n18 dial update 90.0°\n27 dial end 90.0°"
            ),
            ("down a 112,50; +9ms; move a 111.65,52.8; +9ms; up a", ""),
            // 60 mm from the centre, 4° are 4.2 mm.
            ("down a 160,50; +9ms; move a 159.85,54.1; +9ms; up a", ""),
            ("down a 160,50; +9ms; move a 159.85,54.3; +9ms; up a", "9 dial begin 4.1°\n18 dial end 4.1°"),
            // Counterclockwise, beyond a full turn.
            (
                "down a 120,50; +9ms; move a 100,30; +9ms; move a 80,50; +9ms; move a 100,70; +9ms; move a 120,50; +9ms; move a 100,30; up a",
                """
                9 dial begin -90.0°
                18 dial update -180.0°
                27 dial update -270.0°
                36 dial update -360.0°
                45 dial update -450.0°
                45 dial end -450.0°
                """
            ),
            // A movement towards the centre is no turn, however far it goes, and neither is one through it.
            ("down a 100,90; +9ms; move a 102,70; +9ms; move a 103,56; +9ms; up a", ""),
            ("down a 100,90; +9ms; move a 101,60; +9ms; move a 101,40; +9ms; move a 100,10; +9ms; up a", ""),
            // The finger lands in the middle, and then turns around it.
            (
                "down a 102,50; +9ms; move a 106,50; +9ms; move a 106,54; +9ms; move a 100,60; up a",
                "18 dial begin 33.7°\n27 dial update 90.0°\n27 dial end 90.0°"
            ),
            // The rotation stays while the finger is in the middle or passes it, and goes on where it comes out.
            (
                "down a 120,50; +9ms; move a 100,70; +9ms; move a 100,54; +9ms; move a 100,30; +9ms; move a 120,50; up a",
                "9 dial begin 90.0°\n18 dial update 90.0°\n27 dial update 90.0°\n36 dial update 180.0°\n36 dial end 180.0°"
            ),
            // Lost events: the shortest way counts, unless the finger may be anywhere.
            (
                "down a 120,50; +9ms; move a 119,56; +9ms; jump a 105,69; +9ms; move a 100,70; up a",
                "9 dial begin 17.5°\n18 dial update 75.3°\n27 dial update 90.0°\n27 dial end 90.0°"
            ),
            (
                "down a 120,50; +9ms; move a 119,56; +9ms; jump a 80,50; +9ms; move a 81,44; up a",
                "9 dial begin 17.5°\n18 dial update 17.5°\n27 dial update 35.1°\n27 dial end 35.1°"
            ),
            (
                "down a 120,50; +9ms; move a 100,70; +9ms; cancel a palm",
                "9 dial begin 90.0°\n18 dial cancel palm 90.0°"
            ),
        ])
    func phases(script: String, transcript: String) {
        #expect(simulate([region([dial()])], script) == transcript)
    }

    @Test("other contacts do not move it, and it ends with its own")
    func oneContact() {
        #expect(
            simulate(
                [region([dial(), longPress(fingers: 2)])],
                """
                down a 120,50; +9ms; move a 119,56; +9ms; down b 20,50; +9ms; move b 20,90; +9ms; move a 100,70 & move b 20,95
                +9ms; up a; +9ms; move b 100,20; +9ms; up b
                """
            ).split(separator: "\n").filter { $0.contains("dial") }
                == ["9 dial begin 17.5°", "36 dial update 90.0°", "45 dial end 90.0°"])
        // Before it begins, two fingers that move are no dial; the one that stays is.
        #expect(
            simulate(
                [region([dial()])],
                """
                down a 120,50 & down b 20,50; +9ms; move a 100,70 & move b 20,54; +9ms; up b; +9ms; move a 80,50; up a
                +9ms; down a 120,50; up a
                """) == "27 dial begin 90.0°\n27 dial end 90.0°")
    }

    @Test(
        "a thumb that rests in the region does not count, until it moves by more than 3 mm",
        arguments: [
            // It lands before the finger, with it, or while it turns.
            ("down t 70,80; +99ms; down a 120,50; +9ms; move a 119.9,52; +9ms; move a 119,56; up a; up t", 117, 17.5),
            ("down a 120,50 & down t 70,80; +9ms; move a 119,56; +9ms; up a; +9ms; up t", 9, 17.5),
            ("down a 120,50; +9ms; move a 119.9,52; +9ms; down t 70,80; +9ms; move a 119,56; up a; up t", 27, 17.5),
            // It rolls, and it lifts before the finger has turned far enough.
            ("down t 70,80; down a 120,50; +9ms; move t 72,82 & move a 119.9,52; +9ms; move a 119,56; up a", 18, 17.5),
            ("down t 70,80; down a 120,50; +9ms; move a 119.9,52; up t; +9ms; move a 119,56; up a", 18, 11.8),
            // Both move: neither is the finger, until one lifts.
            ("down t 70,80; down a 120,50; +9ms; move t 74,80 & move a 119,56; +9ms; move a 100,70; up a", nil, 0),
            (
                "down t 70,80; down a 120,50; +9ms; move t 74,80 & move a 119,56; +9ms; up t; +9ms; move a 100,70; up a",
                27, 72.5
            ),
        ] as [(String, Int?, Double)])
    func thumb(script: String, begin: Int?, rotation: Double) {
        let lines = simulate([region([dial()])], script, updates: false).split(separator: "\n")
        guard let begin else {
            #expect(lines.isEmpty)
            return
        }
        #expect(lines.first.map(String.init) == "\(begin) dial begin \(rotation)°", "\(lines)")
        #expect(lines.count == 2)
    }

    @Test("a contact that comes back from rest is measured from where it lands again")
    func rest() {
        var region = region([dial { $0.start = 20 }])
        region.restAfter = .milliseconds(1000)
        #expect(
            simulate(
                [region],
                """
                down t 120,50; +1100ms; down a 80,90 & down b 60,90; +9ms; move t 100,70; +9ms; move t 93.2,68.8; +9ms
                move t 80,50; up t; up a; up b
                """, updates: false) == "1127 dial begin 90.0°\n1127 dial end 90.0°")
    }

    @Test("a gesture of two fingers takes its contact")
    func multiTouch() {
        let lines = simulate(
            [region([dial(), pinch()])],
            "down a 120,50; +9ms; move a 119,56; +9ms; down b 140,56; +9ms; move b 170,56; up a & up b")
        #expect(
            lines == "9 dial begin 17.5°\n27 dial cancel multiTouch 17.5°\n27 pinch begin x2.429\n27 pinch end x2.429")
    }

    @Test("in a list, a movement around the middle turns, and one to or from it scrolls")
    func list() {
        let regions = [
            region("list", (0, 0, 200, 100), [drag { $0.axis = .vertical }]),
            region("knob", (60, 10, 80, 80), parent: 0, [dial()]),
        ]
        func first(_ script: String) -> String {
            String(simulate(regions, script).split(separator: "\n").first ?? "")
        }
        #expect(first("down a 100,90; +9ms; move a 100,86; up a") == "9 list.drag begin 0.0,0.0")
        #expect(first("down a 105,20; +9ms; move a 106,24; up a") == "9 list.drag begin 0.0,0.0")
        #expect(
            first("down a 135,50; +9ms; move a 135,52.9; +9ms; move a 134.9,53.1; up a") == "18 knob.dial begin 5.1°")
        #expect(first("down a 100,15; +9ms; move a 104,15.2; up a") == "9 knob.dial begin 6.6°")
    }

    @Test("directions: start and rotation count from where the finger turned back")
    func directions() {
        let regions = [region([dial { $0.directions = [.clockwise] }])]
        #expect(
            simulate(
                regions,
                "down a 120,50; +9ms; move a 119,44; +9ms; move a 119.5,45.5; +9ms; move a 120,48; +9ms; move a 119,44; up a"
            )
                == "27 dial begin 11.8°\n36 dial update 0.0°\n36 dial end 0.0°")
        #expect(
            simulate(regions, "down a 120,50; +9ms; move a 100,30; up a", failures: true)
                == "9 dial failed: wrongDirection 90.0 / 4.0")
    }

    @Test("without start, it begins at the landing, unless that is in the middle")
    func start() {
        let regions = [region([dial { $0.start = 0 }])]
        #expect(
            simulate(regions, "down a 120,50; +9ms; move a 100,70; up a")
                == "0 dial begin 0.0°\n9 dial update 90.0°\n9 dial end 90.0°")
        #expect(
            simulate(regions, "down a 102,50; +9ms; move a 104,50; +9ms; move a 106,50; +9ms; up a")
                == "18 dial begin 0.0°\n27 dial end 0.0°")
    }

    @Test("steps are whole steps, and a step is taken back a quarter of a step below its end")
    func steps() {
        func position(_ degrees: Double) -> String {
            let angle = degrees * .pi / 180
            return "\(100 + 30 * cos(angle)),\(50 + 30 * sin(angle))"
        }
        let angles = [10.0, 14.9, 15, 14, 11.3, 11.2, 15, 44, 61, 33, -11, -15, -12, -11.2, -40]
        let script = "down a \(position(0))" + angles.map { "; +9ms; move a \(position($0))" }.joined() + "; up a"
        let lines = simulate([region([dial { $0.step = 15 }])], script).split(separator: "\n")
        #expect(
            lines.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") } == [
                "begin 10.0° 0 steps", "update 15.0° 1 steps", "update 11.2° 0 steps", "update 15.0° 1 steps",
                "update 44.0° 2 steps", "update 61.0° 4 steps", "update 33.0° 2 steps", "update -11.0° 0 steps",
                "update -15.0° -1 steps", "update -11.2° 0 steps", "update -40.0° -2 steps", "end -40.0° -2 steps",
            ])
    }

    /// Returns the velocities of the events of a finger that turns at a speed in degrees per second.
    private func velocities(_ speed: Double, radius: Double = 25, ending: String = "up a") -> [Double] {
        var script = ""
        for frame in 0...60 {
            let angle = speed * Double(frame) / 100 * .pi / 180
            let place = "a \(100 + radius * cos(angle)),\(50 + radius * sin(angle))"
            script += frame == 0 ? "down \(place)" : "; +10ms; move \(place)"
        }
        var engine = GestureEngine([region([dial()])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var time = Timestamp(microseconds: 0)
        var events: [GestureEvent] = []
        for step in TouchScript(script + "; " + ending).steps {
            switch step {
            case .wait(let interval): time = time + interval
            case .frame(let changes): engine.process(TouchFrame(time: time, changes: changes), into: &events)
            default: break
            }
        }
        return events.compactMap { if case .dial(_, _, let velocity) = $0.detail { velocity } else { nil } }
    }

    @Test("the velocity is that of the turn, and 0 at a lift after a pause", arguments: [90.0, -360, 1080])
    func velocity(speed: Double) {
        for velocity in velocities(speed) { #expect(abs(velocity - speed) < 1) }
        #expect(velocities(speed, ending: "+151ms; up a").last == 0)
        // Reports at the same position show that the finger stands still.
        let angle = speed * 0.6 * .pi / 180
        let still = "; +10ms; move a \(100 + 25 * cos(angle)),\(50 + 25 * sin(angle))"
        let last = velocities(speed, ending: String(repeating: still, count: 12).dropFirst(2) + "; up a").last ?? 1
        #expect(abs(last) < 1)
    }

    @Test("unless: a dial that had to wait begins with the whole rotation")
    func unless() {
        let regions = [
            region(rules: [Gesture(dial(), unless: ["long_press"]), Gesture(longPress())])
        ]
        #expect(
            simulate(regions, "down a 120,50; +9ms; move a 119.9,54; +9ms; move a 100,70; up a")
                == "18 dial begin 90.0°\n18 dial end 90.0°")
    }

    @Test(
        "failures",
        arguments: [
            ("down a 112,50; +9ms; move a 112,50.5; up a", "smallTurn 2.4 / 4.0"),
            ("down a 112,50; +9ms; move a 111.9,51.5; up a", "tooShort 1.5 / 3.0"),
            ("down a 100,80; +9ms; move a 102,60; up a", "dominated 4.0 / 19.8"),
            ("down a 101,50; +9ms; move a 104,50; up a", "smallSpan 4.0 / 5.0"),
            (
                "down a 120,50 & down b 20,50; +90ms; move a 100,70 & move b 20,54; up a & up b",
                "tooManyContacts 2.0 / 1.0"
            ),
            ("down a 120,50 & down b 20,50; +9ms; up a & up b", "smallTurn 0.0 / 4.0"),
            ("down a 120,50; +9ms; cancel a palm", "palm"),
        ])
    func failure(script: String, reason: String) {
        let lines = simulate([region([dial()])], script, failures: true)
        #expect(lines.hasSuffix("dial failed: " + reason), "\(lines)")
    }
}
