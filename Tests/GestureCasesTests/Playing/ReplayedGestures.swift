// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings

/// A line about a gesture that clients receive when a recording is replayed.
struct ReplayedGesture {
    var json: JSONValue
    /// The time from the first event of the recording.
    var milliseconds: Double

    var region: String { json["region"]?.string ?? "" }
    var name: String { json["name"]?.string ?? "" }
    /// Whether it is a gesture without phases, or the begin of one with phases.
    var isBegin: Bool { (json["phase"]?.string ?? "begin") == "begin" }
    /// The name, with the direction of a swipe.
    var words: String { [name, json["direction"]?.string].compactMap(\.self).joined(separator: " ") }
}

extension Recording {
    /// Replays the recording, from the kernel's events to the lines.
    /// - Returns: the lines about gestures, without updates.
    func gestures(with configuration: Configuration) throws -> [ReplayedGesture] {
        guard case .ready(let setup) = PanelDecision(description, configuration, fallbackName: "panel") else {
            throw TestFailure("the panel is refused")
        }
        let start = events.first?.time.microseconds ?? 0
        var gestures: [ReplayedGesture] = []
        var bytes = JSONWriter()
        let isDone = RecordingReplay.run(self, configuration, setup, LineInterest(updates: false)) { line in
            guard line.event == .gesture else { return }
            bytes.removeAll()
            line.write(number: 0, into: &bytes)
            guard let json = JSONValue(parsing: Array(bytes.bytes.dropLast())) else { return }
            gestures.append(
                ReplayedGesture(json: json, milliseconds: Double(line.timeMicroseconds - start) / 1000))
        }
        guard isDone else { throw TestFailure("the replay did not reach the end") }
        return gestures
    }
}
