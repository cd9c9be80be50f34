// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The positions of a pointer, and its velocity at the lift according to another toolkit's estimator.
struct VelocityTrace: Decodable, Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable {
        var vx: Double?
        var vy: Double?
        /// `LSQ2` is the estimator of this engine, `IMPULSE` is another one; Flutter's traces have no name.
        var strategy: String?
        var axis: String?
        /// `nil`: no velocity.
        var value: Double?
        var pointer: Int?
    }

    var name: String
    var events: [CaseTouch]
    var expected: [Expectation]

    var testDescription: String { name }

    static let flutter = SharedData.cases("flutter-velocity.json", of: VelocityTrace.self)
    static let android = SharedData.cases("aosp-velocity.json", of: VelocityTrace.self)

    /// The velocity of a drag at the lift of each finger, in pixels per second. Each finger is played to its own
    /// engine.
    func lifts() -> [Int: Vector] {
        let scale = CasePlayer.millimetersPerPixel
        let everything = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        let dragging = Gesture(name: "drag", word: "drag", settings: drag { $0.start = 0 })
        let region = Region(
            id: "r", shape: .rectangle(everything), bounds: everything, clip: everything, gestures: [dragging])
        var result: [Int: Vector] = [:]
        for finger in Set(events.map(\.finger)) {
            var player = CasePlayer([region], scale: scale, origin: Point(x: -1000, y: -1000))
            player.play(events.filter { $0.finger == finger }, framing: .together)
            for event in player.events where event.phase == .end {
                guard case .drag(_, let velocity, _, _, _) = event.detail else { continue }
                result[finger] = velocity * (1 / scale)
            }
        }
        return result
    }
}
