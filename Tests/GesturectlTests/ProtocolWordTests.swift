// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Words of the protocol that occur only after unusual touches.
@Suite("Rare words of the protocol")
struct ProtocolWordTests {
    private static let configuration =
        panelTable() + """
            [[region]]
            id = "corner"
            shape = { rect = [0, 0, 30, 30] }
            gestures = ["tap"]
            [[region]]
            id = "ok"
            shape = { rect = [80, 80, 20, 20] }
            gestures = [{ type = "tap", inside = true, slop = "90mm" }]
            [[region]]
            id = "slider"
            shape = { rect = [80, 0, 20, 30] }
            gestures = [{ type = "drag", axis = "horizontal" }, { type = "long_press", name = "menu", delay = "100ms" }]
            [[region]]
            id = "all"
            shape = "full"
            pass = true
            gestures = [
              { type = "swipe", directions = ["down_left", "down_right"] },
              { type = "pinch", min_span = "20mm" },
              { type = "two_finger_tap", max_lift_spread = "100ms" },
              { type = "long_press", delay = "200ms", cancel_slop = "4mm" },
              { type = "long_press", name = "kept", delay = "200ms", cancel_slop = "4mm", unless = ["later"] },
              { type = "long_press", name = "later", delay = "300ms", slop = "90mm" },
              { type = "pattern", steps = ["tap corner", "tap corner", "tap corner"], timeout = "3s" },
              { type = "pattern", name = "code", steps = ["tap corner", "tap ok"] },
            ]
            """

    private typealias Position = (x: Int, y: Int)

    private static func line(_ time: Int, _ type: Int, _ code: Int, _ value: Int) -> String {
        let second = "\(time / 1000).\(String("\(time % 1000 + 1000)".dropFirst()))000"
        return "E: \(second) \(String(format: "%04x %04x", type, code)) \(value)\n"
    }

    /// A straight stroke of a finger, with a report after each tenth of its duration.
    private static func stroke(
        _ slot: Int, _ time: Int, _ duration: Int, from: Position, to: Position
    ) -> [(time: Int, text: String)] {
        let reports = (0...10).map { step in
            let at = time + duration * step / 10
            let tracking = step == 0 ? line(at, 3, 0x39, time % 60_000 + slot) : ""
            let text =
                line(at, 3, 0x2F, slot) + tracking + line(at, 3, 0x35, from.x + (to.x - from.x) * step / 10)
                + line(at, 3, 0x36, from.y + (to.y - from.y) * step / 10) + line(at, 0, 0, 0)
            return (at, text)
        }
        let end = time + duration + 1
        return reports + [(end, line(end, 3, 0x2F, slot) + line(end, 3, 0x39, -1) + line(end, 0, 0, 0))]
    }

    /// A finger that stays still for 250 ms and then jumps 50 mm.
    private static func hold(_ time: Int) -> [(time: Int, text: String)] {
        var rest = stroke(0, time, 250, from: (300, 500), to: (300, 500))
        rest.removeLast()
        let end = time + 280
        return rest + [
            (time + 260, line(time + 260, 3, 0x35, 800) + line(time + 260, 0, 0, 0)),
            (end, line(end, 3, 0x39, -1) + line(end, 0, 0, 0)),
        ]
    }

    @Test(
        "are caused by a diagonal swipe, a slow one, a small pinch, a late pattern, fingers that lift apart and one that moves"
    )
    func rare() throws {
        let reports =
            Self.stroke(0, 1000, 100, from: (700, 300), to: (300, 700))
            + Self.stroke(0, 3000, 450, from: (700, 300), to: (500, 500))
            + Self.stroke(0, 5000, 200, from: (450, 500), to: (420, 500))
            + Self.stroke(1, 5000, 200, from: (550, 500), to: (580, 500))
            + Self.stroke(0, 6000, 100, from: (400, 500), to: (400, 500))
            + Self.stroke(1, 6000, 300, from: (600, 500), to: (600, 500))
            + Self.hold(12_000)
            + Self.stroke(0, 14_000, 100, from: (900, 900), to: (600, 900))
            + Self.stroke(0, 8000, 50, from: (100, 100), to: (100, 100))
            + Self.stroke(0, 9500, 50, from: (100, 100), to: (100, 100))
            + Self.stroke(0, 16_000, 100, from: (300, 300), to: (700, 700))
            // A vertical drag on a horizontal slider, and a finger that is down when the panel is unplugged.
            + Self.stroke(0, 18_000, 100, from: (900, 50), to: (900, 250))
            + Self.stroke(0, 20_000, 250, from: (900, 100), to: (900, 100)).dropLast()
        let recording =
            "# gestured: format 1\n" + ReplayTests.header + reports.sorted { $0.time < $1.time }.map(\.text).joined()
            + "# gestured: removed 20.300000\n"
        let folder = try ScratchFolder()
        let file = try folder.write(Self.configuration, to: "gestured.toml")
        let outcome = try Tool.run(
            ["replay", "-", "--config", file, "--events", "gesture,failed"], input: Data(recording.utf8))
        #expect(outcome.status == 0, "\(outcome.errors)")
        for words in [
            #""direction":"down_left""#,
            #""code":"low_velocity","key":"min_velocity","value":62.9,"limit":80.0,"unit":"mm/s""#,
            #""code":"small_span""#, #""code":"timeout""#,
            #""code":"lifted_apart","key":"max_lift_spread","value":200,"limit":100,"unit":"ms""#,
            #""direction":"down_right""#, #""code":"wrong_axis","key":"axis""#, #""code":"wrong_step""#,
            #""unit":"steps""#,
            #""name":"menu","phase":"cancel","reason":"device_removed""#,
            #""phase":"cancel","reason":"movement""#, #""code":"movement""#, #""code":"left_region""#,
        ] {
            #expect(outcome.output.contains(words), "\(words): \(outcome.output)")
        }
    }
}
