// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport

/// Strokes, taps and holds of one or two fingers on a panel of 100 mm, as a recording. Some contacts become palms, some
/// fingers rest while others move, and some events are lost.
enum RandomTouches {
    /// A panel that reports widths and palms.
    static let header = ReplayTests.header.replacing("80 60 02", with: "80 e1 02").replacing(
        "A: 35", with: "A: 30 0 255 0 0 0\nA: 37 0 2 0 0 0\nA: 35")

    static func recording(_ seed: UInt64, touches: Int) -> String {
        var random = SeededRandom(seed)
        var text = header
        var time = 1_000_000
        var id = 0
        func frame(_ events: [String]) {
            let stamp = "E: \(time / 1_000_000).\(String("\(time % 1_000_000 + 1_000_000)".dropFirst())) "
            for event in events + ["0000 0000 0"] { text += stamp + event + "\n" }
        }
        for _ in 0..<touches {
            let fingers = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
            var places = (0..<fingers).map { _ in
                (x: Double.random(in: 200...800, using: &random), y: Double.random(in: 200...800, using: &random))
            }
            let speed = ([0, 0, 0.4, 3, 12] as [Double]).randomElement(using: &random) ?? 0
            let directions = (0..<fingers).map { _ in Double.random(in: 0...6.28, using: &random) }
            for slot in 0..<fingers {
                id += 1
                frame([
                    "0003 002f \(slot)", "0003 0039 \(id)", "0003 0037 0", "0003 0030 50",
                    "0003 0035 \(Int(places[slot].x))",
                    "0003 0036 \(Int(places[slot].y))",
                ])
                time += Int.random(in: 1000...60_000, using: &random)
            }
            // A finger that rests, a contact that becomes a palm in this frame, and a frame that is lost.
            let resting = Int.random(in: 0..<6, using: &random)
            let palm = Int.random(in: 0..<200, using: &random)
            let lost = Int.random(in: 0..<400, using: &random)
            for step in 0..<Int.random(in: 1...70, using: &random) {
                time += 10_000
                if step == palm { frame(["0003 0037 2"]) }
                if step == lost { frame(["0000 0003 0"]) }
                frame(
                    (0..<fingers).filter { $0 != resting }.flatMap { slot -> [String] in
                        places[slot].x = min(990, max(10, places[slot].x + speed * cos(directions[slot])))
                        places[slot].y = min(990, max(10, places[slot].y + speed * sin(directions[slot])))
                        return [
                            "0003 002f \(slot)", "0003 0035 \(Int(places[slot].x))", "0003 0036 \(Int(places[slot].y))",
                        ]
                    })
            }
            for slot in 0..<fingers {
                time += Int.random(in: 1000...30_000, using: &random)
                frame(["0003 002f \(slot)", "0003 0039 -1"])
            }
            time += [30_000, 90_000, 200_000, 1_500_000].randomElement(using: &random) ?? 0
        }
        return text
    }
}
