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

        /// Whether the finger moved back by more than 3 mm, against its mean movement, in the 100 ms before its last
        /// report.
        var turnsBack: Bool {
            guard let last = points.last else { return false }
            let recent = points.filter { last.time - $0.time <= .milliseconds(100) }
            guard let first = recent.first, first.position != last.position else { return true }
            let way = last.position - first.position
            return recent.contains { point in
                let left = last.position - point.position
                return left.dx * way.dx + left.dy * way.dy < -3 * way.length
            }
        }

        var description: String {
            "\(Int(distance)) mm in \((lifted - landed).microseconds / 1000) ms at \(landed.microseconds)"
        }
    }

    /// The swipes and drags of one finger.
    private func gestures(_ recording: PanelRecording) -> [GestureEvent] {
        var page = region("page", (0, 0, recording.width, recording.height), [swipe(), drag()])
        page.clip = page.bounds
        return recording.play([page])
    }

    /// All strokes of one finger, and the times of the recognized swipes.
    private func play(_ recording: PanelRecording) -> (strokes: [Stroke], swipes: Set<Timestamp>) {
        let swipes = Set(gestures(recording).filter { $0.phase == nil && !$0.isFailure }.map { $0.time })
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

    /// Compares the speed of each swipe with that of the drag that ends at the same time.
    @Test("end drags with at least half of the speed of the swipe, unless they turn back", arguments: [1, 2.4, 4, 6])
    func endDrags(scale: Double) {
        var all: [String] = []
        var slow: [String] = []
        for var recording in PanelRecording.all {
            recording.width *= scale
            recording.height *= scale
            let events = gestures(recording)
            let strokes = play(recording).strokes
            for event in events {
                guard case .swipe(let swipe) = event.detail else { continue }
                let end = events.first { $0.time == event.time && $0.phase == .end }
                guard case .drag(_, let velocity, _, _, _)? = end?.detail else { continue }
                let turnsBack = strokes.first { $0.lifted == event.time }?.turnsBack ?? false
                let line =
                    "\(recording.name) at \(event.time.microseconds): swipe \(Int(swipe.speed)) mm/s, "
                    + "drag \(Int(velocity.length)) mm/s\(turnsBack ? ", turned back" : "")"
                all.append(line)
                if velocity.length < swipe.speed / 2, !turnsBack { slow.append(line) }
            }
        }
        #expect(all.count > 0)
        #expect(slow.isEmpty, "of\n\(all.joined(separator: "\n"))")
    }
}
