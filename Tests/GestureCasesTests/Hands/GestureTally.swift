// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureTestSupport
import Recordings

/// Counts what became of a gesture that hands have made several times, on a page with every gesture.
struct GestureTally {
    private(set) var made = 0
    private(set) var recognized = 0
    /// The times that a gesture was reported that must not be, by its name.
    private(set) var wrong: [String: Int] = [:]
    /// The time from the landing to the gesture, for those that were recognized, in milliseconds.
    private var time = 0.0

    /// The share that is recognized, in whole percent, rounded down.
    var percent: Int { 100 * recognized / max(1, made) }
    var meanTime: Double { time / Double(max(1, recognized)) }

    /// A tap of two fingers waits for nothing here: a pinch and a rotation fail when the last finger lifts.
    static let page = """
        [[region]]
        id = "page"
        shape = "full"
        gestures = [
            "press", "tap", "double_tap", { type = "two_finger_tap", unless = ["pinch", "rotate"] }, "long_press",
            { type = "drag", fingers = "1..2" }, "swipe", "pinch", "rotate",
        ]
        """

    init(_ recordings: [SyntheticRecording], profile: String) throws {
        for recording in recordings {
            let configuration = try Configuration.of(
                Self.page, width: recording.panel.width, height: recording.panel.height, profile: profile)
            let gestures = try EvemuReader.read(Array(recording.text.utf8)).gestures(with: configuration)
            let ends = recording.parts.dropFirst().map(\.milliseconds.lowerBound) + [.infinity]
            for (part, end) in zip(recording.parts, ends) {
                let start = part.milliseconds.lowerBound
                add(part, gestures.filter { (start..<end).contains($0.milliseconds) && $0.isBegin })
            }
        }
    }

    private mutating func add(_ part: SyntheticRecording.Part, _ gestures: [ReplayedGesture]) {
        made += 1
        if let right = gestures.first(where: { part.must.contains($0.words) }) {
            recognized += 1
            time += right.milliseconds - part.milliseconds.lowerBound
        }
        for name in Set(gestures.map(\.name)) where part.never.contains(name) { wrong[name, default: 0] += 1 }
    }
}
