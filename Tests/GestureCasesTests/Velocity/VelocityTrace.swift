// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The positions of a pointer, and its velocity at the lift according to another toolkit's estimator.
struct VelocityTrace: Sendable, CustomTestStringConvertible {
    var name: String
    /// The touches in the notation of `TouchScript`, in pixels.
    var touches: String
    /// The expected velocities. For Flutter, `x,y` in pixels per second; for Android, see `Expectation`.
    var expected: [String]

    var testDescription: String { name }

    static let flutter: [VelocityTrace] = CaseTable.rows("flutter-velocities.txt", columns: 3).map { row in
        VelocityTrace(name: row[0], touches: row[2], expected: CaseTable.list(row[1], separator: ","))
    }
    static let android: [VelocityTrace] = CaseTable.rows("android-velocities.txt", columns: 4).map { row in
        VelocityTrace(name: row[0], touches: row[3], expected: CaseTable.list(row[2]))
    }

    /// An expectation such as `lsq2 0 x 500`: the estimator, the finger, the axis (or `both`) and the velocity.
    struct Expectation {
        var estimator: String
        var finger: String
        var axis: String
        var velocity: Double

        init?(_ text: String) {
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 4, let velocity = Double(words[3]) else { return nil }
            (estimator, finger, axis, self.velocity) = (words[0], words[1], words[2], velocity)
        }
    }

    /// The velocity at the lift of each finger, in pixels per second, by the finger's name. Each finger is a drag in an
    /// engine of its own.
    func lifts() -> [String: Vector] {
        let scale = CasePlayer.millimetersPerPixel
        let everything = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        let dragging = Gesture(name: "drag", word: "drag", settings: drag { $0.start = 0 })
        let region = Region(
            id: "r", shape: .rectangle(everything), bounds: everything, clip: everything, gestures: [dragging])
        let script = TouchScript(touches)
        #expect(script.mistakes == [])
        var result: [String: Vector] = [:]
        for (finger, id) in script.ids {
            var player = CasePlayer([region], scale: scale, origin: Point(x: -1000, y: -1000))
            for step in script.steps {
                guard case .frame(let changes) = step else {
                    player.play(step)
                    continue
                }
                let own = changes.filter { $0.id == id }
                if !own.isEmpty { player.play(.frame(own)) }
            }
            for event in player.events where event.phase == .end {
                guard case .drag(_, let velocity, _, _, _) = event.detail else { continue }
                result[finger] = velocity * (1 / scale)
            }
        }
        return result
    }
}
