// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// Converts the recognizers of one of Flutter's tests to a region of this engine with Flutter's settings.
enum FlutterSetup {
    private static let slop = 18 * CasePlayer.millimetersPerPixel

    /// The touches of the scale tests are within 55 px, where real fingers would nearly overlap, so they are played ten
    /// times as large.
    static func scale(_ setup: String) -> Double {
        CasePlayer.millimetersPerPixel * (setup.hasPrefix("scale") ? 10 : 1)
    }

    /// - Parameter setup: `tap`, `double_tap`, `long_press 500ms`, `drag`, `drag at once`, `drag after long_press`
    ///   or `scale`, some of them followed by `and tap`.
    /// - Returns: `nil` for any other setup.
    static func region(_ setup: String) -> Region? {
        let box = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        let words = setup.split(separator: " ").map(String.init)
        guard let settings = settings(words, hasTap: words.suffix(2) == ["and", "tap"]) else { return nil }
        var gestures = settings.map { Gesture(name: $0.0, word: $0.0, settings: $0.1) }
        // A drag after a delay is a drag with `start` 0 and a long press in its `after`.
        if words.contains("after") {
            for i in gestures.indices where gestures[i].name == "drag" { gestures[i].after = ["long_press"] }
        }
        return Region(id: "r", shape: .rectangle(box), bounds: box, clip: box, gestures: gestures)
    }

    private static func settings(_ words: [String], hasTap: Bool) -> [(String, GestureSettings)]? {
        let taps = hasTap ? [("tap", tap { forever(&$0) })] : []
        let delay = words.lazy.compactMap { Measure($0) }.first?.value ?? 500
        let holding = longPress {
            $0.slop = slop
            $0.delay = .milliseconds(Int64(delay))
        }
        switch words.first {
        case "tap":
            // Time does not pass in Flutter's tests, and Flutter does not filter bounces.
            let tapping = tap {
                forever(&$0)
                $0.minGap = .milliseconds(0)
            }
            return [("press", press), ("tap", tapping)]
        case "double_tap":
            let single = tap { forever(&$0) }
            return [("press", press), ("tap", single), ("double_tap", tap(count: 2) { forever(&$0) })]
        case "long_press":
            let short = hasTap ? [("tap", tap { $0.slop = slop })] : []
            return [("press", press), ("long_press", holding)] + short
        case "drag" where words.contains("after"): return [("long_press", holding), ("drag", drag { $0.start = 0 })]
        // The only recognizer in Flutter's arena wins at the landing.
        case "drag": return [("drag", drag { $0.start = words.contains("once") ? 0 : slop })] + taps
        case "scale": return [("drag", drag { $0.start = slop }), ("pinch", pinch()), ("rotate", rotate())] + taps
        default: return nil
        }
    }

    /// Flutter does not limit the duration of a tap.
    private static func forever(_ tap: inout TapSettings) {
        tap.slop = slop
        tap.distance = 100 * CasePlayer.millimetersPerPixel
        tap.maxTime = .milliseconds(60_000)
    }
}
