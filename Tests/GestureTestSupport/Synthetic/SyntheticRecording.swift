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

    private typealias Kind = @Sendable (inout SyntheticHand, Double) -> SyntheticTouch

    private static let kinds: [(name: String, touches: [Kind])] = [
        ("taps", [{ $0.tap(at: $1) }, { $0.tap(at: $1) }, { $0.doubleTap(at: $1) }, { $0.tap(at: $1) }]),
        ("two-finger-taps", [{ $0.twoFingerTap(at: $1) }, { $0.tap(at: $1) }, { $0.twoFingerTap(at: $1) }]),
        ("holds-and-drags", [{ $0.hold(at: $1) }, { $0.drag(at: $1) }]),
        ("swipes", [{ $0.swipe(at: $1) }, { $0.swipe(at: $1) }, { $0.swipe(at: $1) }, { $0.swipe(at: $1) }]),
        ("scrolls", [{ $0.scroll(at: $1) }, { $0.tap(at: $1) }, { $0.scroll(at: $1) }]),
        ("pinches-and-turns", [{ $0.pinch(at: $1) }, { $0.rotate(at: $1) }]),
    ]

    /// A recording of each kind of touches on each panel.
    package static let all: [SyntheticRecording] = SyntheticPanel.all.enumerated().flatMap { index, panel in
        kinds.enumerated().map { kind, entry in
            make(panel, entry.name, entry.touches, seed: UInt64(index * kinds.count + kind))
        }
    }

    private static func make(
        _ panel: SyntheticPanel, _ name: String, _ kinds: [Kind], seed: UInt64
    ) -> SyntheticRecording {
        var hand = SyntheticHand(seed, width: panel.width, height: panel.height)
        var random = SeededRandom(seed + 1000)
        var touches: [SyntheticTouch] = []
        var time = 0.0
        for kind in kinds {
            let touch = kind(&hand, time)
            touches.append(touch)
            time = (touch.fingers.map(\.lift).max() ?? time) + random.number(700, 1500)
        }
        var writer = SyntheticWriter(panel)
        play(touches.flatMap(\.fingers), to: &writer, panel, &random)
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
    private static func play(
        _ fingers: [SyntheticFinger], to writer: inout SyntheticWriter, _ panel: SyntheticPanel,
        _ random: inout SeededRandom
    ) {
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
    }
}
