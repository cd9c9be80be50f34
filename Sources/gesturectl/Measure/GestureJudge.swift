// SPDX-License-Identifier: MIT
import GestureEngine

/// Asks the engine what it makes of an attempt, with the settings of one gesture.
struct GestureJudge: Hashable {
    var settings: GestureSettings
    /// The panel in millimetres.
    var bounds: Rectangle

    /// The gesture, if it is recognized; of a continuous one its beginning.
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

    /// How many of the attempts come to nothing.
    func refused(_ attempts: [[ContactTrack]]) -> Int { attempts.count { recognized($0) == nil } }
}
