// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The steps of hyprgrass's tests: gestures of three fingers, and of one at the edge of the screen.
///
/// In these tests, a swipe counts as a drag if drags are wanted, and before each step nothing may have been recognized.
@Suite("hyprgrass", .enabled(if: SharedData.folder != nil, Comment(rawValue: SharedData.missing)))
struct HyprgrassTests {
    private static let scale = CasePlayer.millimetersPerPixel

    @Test func countOfCases() {
        #expect(StepCase.hyprgrass.count >= 24)
    }

    @Test(arguments: StepCase.hyprgrass.filter { $0.isKnownToFail != true })
    func asHyprgrass(test: StepCase) {
        let region = Self.region(test)
        var player = CasePlayer([region], scale: Self.scale, origin: Point(x: -100, y: -100))
        var (mistakes, comparisons) = ([String](), 0)
        for frame in test.frames {
            player.play(frame: frame.touches)
            // There a tap is complete, and a pinch ends, when the first finger lifts; here when the last one does.
            if frame.isLast { player.play(test.remainingLifts, framing: .together) }
            for expectation in frame.expectations {
                guard let holds = Self.holds(expectation, player.events, region.gestures, test) else { continue }
                comparisons += 1
                if !holds { mistakes.append("\(expectation) does not hold") }
            }
        }
        #expect(mistakes == [])
        #expect(comparisons > 0 || test.steps.contains { $0.what == nil && $0.progress != nil })
    }

    /// - Returns: `nil` for steps that do not concern gestures.
    private static func holds(
        _ expectation: String, _ events: [GestureEvent], _ gestures: [Gesture], _ test: StepCase
    ) -> Bool? {
        let names = events.filter { $0.isRecognition }.map { gestures[$0.gesture].name }
        let ends = events.filter { $0.phase == .end }.map { gestures[$0.gesture].name }
        let motions = ["drag", "pinch"]
        switch (expectation, test.gesture) {
        case ("completed", "MultiFingerTap"): return names.contains("tap")
        case ("completed", "PinchGesture"): return ends.contains("pinch")
        case ("completed", _): return names.contains("swipe") || ends.contains("drag")
        // A drag after a long press may begin together with it.
        case ("drag_triggered", "LongPress"): return names.contains("long_press")
        case ("drag_triggered", _): return names.contains { motions.contains($0) }
        case ("drag_ended", "LongPress"): return ends.contains("long_press")
        case ("drag_ended", _): return ends.contains { motions.contains($0) }
        case ("cancelled", "MultiFingerTap"): return !names.contains("tap")
        case ("cancelled", "LongPress"): return !names.contains("long_press")
        case ("cancelled", _): return !names.contains("swipe")
        case ("nothing_happened", _): return names.isEmpty
        default: return nil
        }
    }

    private static func region(_ test: StepCase) -> Region {
        let everything = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        var box = everything
        let isEdge = test.gesture == "EdgeSwipeGesture"
        if isEdge {
            let x = (test.monitorOffset?.first ?? 0) + 100
            box = Rectangle(minX: x * scale, minY: 0, maxX: (x + (test.edgeMargin ?? 10)) * scale, maxY: 2000)
        }
        let fingers = isEdge ? 1 : 3
        let settings: [(String, GestureSettings)] = [
            (
                "tap",
                tap(fingers: fingers) {
                    $0.slop = 100 * scale
                    $0.maxTime = .milliseconds(400)
                }
            ),
            (
                "long_press",
                longPress(fingers: fingers) {
                    $0.slop = 100 * scale
                    $0.delay = .milliseconds(400)
                }
            ),
            ("drag", drag(fingers: fingers) { $0.start = 150 * scale }),
            (
                "swipe",
                swipe(fingers: fingers) {
                    $0.minDistance = 150 * scale
                    $0.maxTime = .milliseconds(400)
                }
            ), ("pinch", pinch()),
        ]
        return Region(
            id: "r", shape: .rectangle(box), bounds: box, clip: everything,
            gestures: settings.map { Gesture(name: $0.0, word: $0.0, settings: $0.1) })
    }
}

extension StepCase {
    /// Touches at the same time, and the assertions after them.
    fileprivate struct Frame {
        var touches: [CaseTouch]
        var expectations: [String] = []
        var isLast = false
    }

    /// For the fingers that are down at the end.
    fileprivate var remainingLifts: [CaseTouch] {
        var last: [Int: CaseTouch] = [:]
        for touch in steps.compactMap(\.touch) { last[touch.finger] = touch.phase == .up ? nil : touch }
        return last.values.map { CaseTouch($0.milliseconds + 20, $0.finger, .up, nil, nil) }
    }

    fileprivate var frames: [Frame] {
        var frames: [Frame] = []
        for step in steps {
            if let touch = step.touch {
                if let last = frames.indices.last, frames[last].expectations.isEmpty,
                    frames[last].touches[0].milliseconds == touch.milliseconds,
                    !frames[last].touches.contains(where: { $0.finger == touch.finger })
                {
                    frames[last].touches.append(touch)
                } else {
                    frames.append(Frame(touches: [touch]))
                }
            } else if let text = step.value?.text, let last = frames.indices.last {
                // No progress: it is not a gesture of the edge.
                let isNothing = text == "check_progress" && step.progress == nil && gesture == "EdgeSwipeGesture"
                frames[last].expectations.append(isNothing ? "nothing_happened" : text)
            }
        }
        // A gesture that is to continue must not end.
        let ends = frames.last?.expectations.contains { $0 == "completed" || $0.hasSuffix("ended") } ?? false
        if ends, let last = frames.indices.last { frames[last].isLast = true }
        return frames
    }
}
