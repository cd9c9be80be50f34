// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

/// Fast strokes of fingers are swipes, even if they slow down before the lift.
@Suite("Strokes of recordings")
struct StrokeTests {
    /// The path of the only finger on the glass, from its landing to its lift.
    private struct Stroke: CustomStringConvertible {
        var landed: Timestamp
        var lifted: Timestamp
        var points: [(time: Timestamp, position: Point)]

        var distance: Double { ((points.last?.position ?? .zero) - (points.first?.position ?? .zero)).length }

        /// Whether the finger did not move for the last 150 ms, or moved by less than 5 mm in the 50 ms before its last
        /// movement.
        var rests: Bool {
            guard let last = points.last, lifted - last.time <= .milliseconds(150) else { return true }
            let before = points.first { last.time - $0.time <= .milliseconds(50) } ?? last
            return (last.position - before.position).length < 5
        }

        var isFast: Bool { lifted - landed <= .milliseconds(400) && distance >= 25 && !rests }

        var description: String {
            "\(Int(distance)) mm in \((lifted - landed).microseconds / 1000) ms at \(landed.microseconds)"
        }
    }

    /// Returns all strokes of one finger, and the times of the recognized swipes.
    private func play(_ recording: PanelRecording) -> (strokes: [Stroke], swipes: Set<Timestamp>) {
        let (width, height) = (recording.width, recording.height)
        var page = region("page", (0, 0, width, height), [swipe()])
        page.clip = page.bounds
        let swipes = Set(recording.play([page]).filter { $0.phase == nil && !$0.isFailure }.map { $0.time })
        var strokes: [Stroke] = []
        var current: Stroke?
        var down: Set<ContactID> = []
        recording.track { frame in
            for change in frame.changes {
                switch change.kind {
                case .landed:
                    down.insert(change.id)
                    current =
                        down.count == 1
                        ? Stroke(landed: frame.time, lifted: frame.time, points: [(frame.time, change.position)]) : nil
                case .moved, .resynchronized: current?.points.append((frame.time, change.position))
                case .lifted, .cancelled:
                    down.remove(change.id)
                    current?.lifted = frame.time
                    if change.kind == .lifted, let stroke = current { strokes.append(stroke) }
                    current = nil
                }
            }
        }
        return (strokes, swipes)
    }

    /// The sizes of the real panels are unknown, and on small panels few strokes are long enough, so they are scaled
    /// up.
    @Test("are swipes if they are fast", arguments: [2.4, 4, 6])
    func areSwipes(scale: Double) {
        var count = 0
        for var recording in PanelRecording.all {
            recording.width *= scale
            recording.height *= scale
            let (strokes, swipes) = play(recording)
            for stroke in strokes where stroke.isFast {
                count += 1
                #expect(swipes.contains(stroke.lifted), "\(recording.name): \(stroke)")
            }
        }
        #expect(count > 0)
    }
}
