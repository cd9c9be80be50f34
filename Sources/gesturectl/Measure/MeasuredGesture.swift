// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureEngine

/// What `gesturectl measure` can measure.
enum MeasuredGesture: String, CaseIterable, ExpressibleByArgument {
    case tap, swipe, hold

    /// What to do, for the person at the panel.
    /// - Parameter isDouble: two taps each time.
    func instruction(count: Int, isDouble: Bool) -> String {
        switch self {
        case .tap where isDouble: "tap twice in quick succession, as on a double click, \(count) times"
        case .tap: "tap \(count) times, as you would press a button"
        case .swipe: "swipe \(count) times, as you would turn a page"
        case .hold: "rest a finger for a second, \(count) times, as you would wait for a menu"
        }
    }

    /// One finished attempt, in a few words.
    func summary(_ attempt: [ContactTrack]) -> String {
        guard let last = attempt.last, let first = attempt.first else { return "" }
        var parts = ["\(shortest(last.duration)) ms"]
        switch self {
        case .tap, .hold: parts.append("strayed \(shortest(last.excursion())) mm")
        case .swipe: parts.append("\(shortest(last.excursion())) mm")
        }
        if attempt.count > 1 {
            parts.append("\(shortest((last.landed - first.lifted).milliseconds)) ms after the first")
        }
        return parts.joined(separator: ", ")
    }

    /// - Parameters:
    ///   - attempts: at least one.
    ///   - settings: those in use.
    ///   - bounds: the panel in millimetres.
    /// - Returns: nil when the attempts have no numbers.
    func finding(_ attempts: [[ContactTrack]], _ settings: SettingsInUse, bounds: Rectangle) -> Finding? {
        switch self {
        case .tap: TapFinding.make(attempts, settings, bounds: bounds)
        case .swipe: SwipeFinding.make(attempts, settings, bounds: bounds)
        case .hold: HoldFinding.make(attempts, settings, bounds: bounds)
        }
    }
}

/// The settings in use of the gestures that can be measured.
struct SettingsInUse: Hashable {
    var tap = TapSettings()
    var swipe = SwipeSettings()
    var longPress = LongPressSettings()
}

/// Plays an attempt to the engine, with the settings of one gesture.
struct GestureJudge: Hashable {
    var settings: GestureSettings
    /// The panel in millimetres.
    var bounds: Rectangle

    /// The gesture, if it is recognized; of a continuous one its begin.
    func recognized(_ attempt: [ContactTrack]) -> GestureEvent? {
        let gesture = Gesture(name: "gesture", word: "gesture", settings: settings)
        let region = Region(
            id: "panel", shape: .rectangle(bounds), bounds: bounds, clip: bounds, gestures: [gesture])
        var engine = GestureEngine([region], bounds: bounds)
        engine.reportsUpdates = false
        var events: [GestureEvent] = []
        for track in attempt {
            for frame in track.frames { engine.process(frame, into: &events) }
        }
        engine.advance(to: .never, into: &events)
        return events.first
    }

    /// How many attempts are not recognized.
    func refused(_ attempts: [[ContactTrack]]) -> Int { attempts.count { recognized($0) == nil } }
}
