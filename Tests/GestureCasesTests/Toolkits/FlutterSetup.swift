// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// The recognizers of one of Flutter's tests as a region of this engine, with Flutter's values.
enum FlutterSetup {
    /// The tests of scales touch within 55 px, where fingers would nearly overlap. They are played ten times as far
    /// apart.
    static func scale(_ test: StepCase) -> Double {
        CasePlayer.millimetersPerPixel * (test.file == "scale_test.dart" ? 10 : 1)
    }

    static func region(_ test: StepCase) -> Region {
        let box = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        var gestures = settings(test).map { Gesture(name: $0.0, word: $0.0, settings: $0.1) }
        // A drag after a delay: `after` a long press, and with `start` 0.
        if test.file == "multidrag_test.dart" {
            for i in gestures.indices where gestures[i].name == "drag" { gestures[i].after = ["long_press"] }
        }
        return Region(id: "r", shape: .rectangle(box), bounds: box, clip: box, gestures: gestures)
    }

    private static func settings(_ test: StepCase) -> [(String, GestureSettings)] {
        let slop = 18 * CasePlayer.millimetersPerPixel
        let holding = longPress {
            $0.slop = slop
            $0.delay = .milliseconds(test.id == "long_press_test.dart:84" ? 100 : 500)
        }
        let taps = test.speaksOfTaps ? [("tap", tap { forever(&$0) })] : []
        switch test.file {
        case "tap_test.dart":
            // Time stands still in those tests, and Flutter does not filter bounces.
            let tapping = tap {
                forever(&$0)
                $0.minGap = .milliseconds(0)
            }
            return [("press", press), ("tap", tapping)]
        case "double_tap_test.dart", "serial_tap_test.dart":
            let single = tap { forever(&$0) }
            return [("press", press), ("tap", single), ("double_tap", tap(count: 2) { forever(&$0) })]
        case "long_press_test.dart":
            let short = test.speaksOfTaps ? [("tap", tap { $0.slop = slop })] : []
            return [("press", press), ("long_press", holding)] + short
        case "multidrag_test.dart": return [("long_press", holding), ("drag", drag { $0.start = 0 })]
        case "scale_test.dart":
            return [("drag", drag { $0.start = slop }), ("pinch", pinch()), ("rotate", rotate())] + taps
        default: return [("drag", dragging(test, slop))] + taps
        }
    }

    /// Flutter does not limit the duration of a tap.
    private static func forever(_ tap: inout TapSettings) {
        tap.slop = 18 * CasePlayer.millimetersPerPixel
        tap.distance = 100 * CasePlayer.millimetersPerPixel
        tap.maxTime = .milliseconds(60_000)
    }

    /// A recognizer that is alone in Flutter's arena wins at the landing.
    private static func dragging(_ test: StepCase, _ slop: Double) -> GestureSettings {
        let starting = [
            "drag_test.dart:144", "drag_test.dart:458", "drag_test.dart:540", "drag_test.dart:633",
            "drag_test.dart:829", "drag_test.dart:884", "drag_test.dart:927", "drag_test.dart:991",
            "monodrag_test.dart:126", "monodrag_test.dart:188",
        ]
        return drag { $0.start = starting.contains(test.id) ? 0 : slop }
    }
}

extension StepCase {
    /// Whether the test has a tap recognizer in addition to the one under test.
    fileprivate var speaksOfTaps: Bool {
        steps.contains { step in
            let words = (step.value?.list ?? []).compactMap(\.text)
            return step.what?.lowercased().contains("tap") ?? false
                || words.contains { $0.lowercased().contains("tap") || $0 == "upT" }
        }
    }
}
