// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline

/// A recording as text: read, or refused with a reason. What was read is written and read again
/// without loss, and replayed, twice to the same lines.
enum RecordingText {
    private static let configuration: Configuration = {
        let gestures = """
            ["press", "tap", "double_tap", "long_press", { type = "repeat", max_duration = "2s" }, "swipe", "drag",
            "pinch", "rotate"]
            """
        let text = """
            version = 1
            [[device]]
            id = "panel"
            match = { name = "*" }
            [[region]]
            id = "all"
            shape = "full"
            gestures = \(gestures)
            [[region]]
            id = "left"
            parent = "all"
            shape = { rect = ["0%", "0%", "50%", "100%"] }
            gestures = \(gestures)
            """
        return ConfigurationReader.read(text).configuration ?? Configuration()
    }()

    static func run(_ input: UnsafeRawBufferPointer) -> String? {
        let recording: Recording
        do throws(RecordingError) {
            recording = try RecordingReader.read(Array(input))
        } catch {
            return error.message.isEmpty || error.line < 0 ? "no sentence: \(error)" : nil
        }
        if let complaint = checkWriting(recording) { return complaint }
        guard case .ready(let setup) = PanelDecision(recording.description, configuration, fallbackName: "panel") else {
            return nil
        }
        let first = replay(recording, setup)
        let second = replay(recording, setup)
        if let complaint = first.complaint { return complaint }
        return first.text == second.text ? nil : "two replays differ"
    }

    private static func checkWriting(_ recording: Recording) -> String? {
        let written = RecordingWriter.write(recording)
        do throws(RecordingError) {
            let again = try RecordingReader.read(written)
            return again == recording ? nil : "differs when written and read:\n\(recording)\n\(again)"
        } catch {
            return "cannot be read when written, \(error):\n\(String(decoding: written, as: UTF8.self))"
        }
    }

    private static func replay(_ recording: Recording, _ setup: PanelSetup) -> LineLaws {
        let laws = LineLaws("replay", setup)
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        let isComplete = RecordingReplay.run(recording, through: &pipeline) { laws.check($0) }
        // Fingers that never lift are the recording's own affair.
        if isComplete, pipeline.isIdle { laws.finish() }
        return laws
    }
}
