// SPDX-License-Identifier: MIT
import GestureEngine

/// A recording of touches on a fictitious panel, with the statistics of real hands and panels, and with the gestures
/// that must and must not be recognized. Tests use these in addition to the recordings of real panels, which are not
/// part of the project.
package struct SyntheticRecording: Sendable {
    /// The gestures that must and must not be recognized in a part of the recording, in milliseconds from its first
    /// event.
    package struct Part: Sendable {
        package var milliseconds: ClosedRange<Double>
        package var must: [String]
        package var never: [String]
    }

    package struct Contacts: Hashable, Sendable {
        package var all = 0
        package var atOnce = 0
        /// The number of times that a finger landed while no other was down.
        package var spans = 0
    }

    package var name: String
    package var panel: SyntheticPanel
    /// The recording as a file in evemu's format.
    package var text: String
    package var parts: [Part]
    package var contacts: Contacts

    private static let kinds: [(name: String, gestures: [SyntheticGesture])] = [
        ("taps", [.tap, .tap, .doubleTap, .tap]),
        ("two-finger-taps", [.twoFingerTap, .tap, .twoFingerTap]),
        ("holds-and-drags", [.hold, .drag]),
        ("swipes", [.swipe, .swipe, .swipe, .swipe]),
        ("scrolls", [.scroll, .tap, .scroll]),
        ("pinches-and-turns", [.pinch, .rotate]),
    ]

    /// A recording of each kind of touches on each panel.
    package static let all: [SyntheticRecording] = SyntheticPanel.all.enumerated().flatMap { index, panel in
        kinds.enumerated().map { kind, entry in
            make(panel, entry.name, entry.gestures, seed: UInt64(index * kinds.count + kind))
        }
    }

    /// A recording in which a gesture is made several times.
    /// - Parameter hands: the hands that make it, one of them in each recording; `nil` for a hand that does not tremble.
    package static func repeated(
        _ gesture: SyntheticGesture, count: Int, on panel: SyntheticPanel, by hands: TremblingHands? = nil, seed: UInt64
    ) -> SyntheticRecording {
        make(
            panel, "\(gesture)", Array(repeating: gesture, count: count), pause: 1500...2500, by: hands, seed: seed)
    }

    private static func make(
        _ panel: SyntheticPanel, _ name: String, _ gestures: [SyntheticGesture],
        pause: ClosedRange<Double> = 700...1500, by hands: TremblingHands? = nil, seed: UInt64
    ) -> SyntheticRecording {
        var hand = SyntheticHand(seed, width: panel.width, height: panel.height)
        var random = SeededRandom(seed + 1000)
        var trembling = hands.map { TremblingHand($0, seed: seed) }
        var touches: [SyntheticTouch] = []
        var time = 0.0
        for gesture in gestures {
            var touch = gesture.touch(of: &hand, at: time)
            trembling?.shake(&touch.fingers)
            touches.append(touch)
            time = (touch.fingers.map(\.lift).max() ?? time) + random.number(in: pause)
        }
        let writer = written(touches.flatMap(\.fingers), on: panel, &random)
        // A lift is reported in the second frame after it at the latest.
        let late = 2.2 * 1000 / panel.rate
        let parts = touches.map { touch in
            let start = touch.fingers.map(\.landing).min() ?? 0
            let end = touch.fingers.map(\.lift).max() ?? start
            return Part(milliseconds: start...end + late, must: touch.must.map { [$0] } ?? [], never: touch.never)
        }
        return SyntheticRecording(
            name: "synthetic-\(panel.name)-\(name)", panel: panel, text: writer.text, parts: parts,
            contacts: writer.contacts)
    }

    /// Reports the fingers at the panel's rate. The time between two reports varies by 4 %, and positions by 0.04 mm, as
    /// in the recordings of real panels.
    static func written(
        _ fingers: [SyntheticFinger], on panel: SyntheticPanel, _ random: inout SeededRandom
    ) -> SyntheticWriter {
        var writer = SyntheticWriter(panel)
        var last: [Int: (x: Int, y: Int)] = [:]
        let end = fingers.map(\.lift).max() ?? 0
        var time = 0.0
        // The loop ends after a frame in which the last finger has lifted.
        while time <= end + 2 * 1000 / panel.rate {
            var down: [(Int, (x: Int, y: Int))] = []
            for (number, finger) in fingers.enumerated() where finger.landing <= time {
                let isNew = last[number] == nil
                guard isNew || time < finger.lift else { continue }
                if isNew || time < finger.lift - finger.silence {
                    let noise = Vector(dx: random.number(-0.04, 0.04), dy: random.number(-0.04, 0.04))
                    last[number] = panel.units(finger.position(at: time) + noise)
                }
                if let place = last[number] { down.append((number, place)) }
            }
            writer.report(down, at: time)
            time += 1000 / panel.rate * random.number(0.96, 1.04)
        }
        return writer
    }
}
