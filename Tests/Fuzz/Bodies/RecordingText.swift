// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline
import Recordings

/// Reads the input as a recording, which may be refused with a reason. A recording must survive writing and reading
/// without loss, and two replays of it must produce the same lines.
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
            recording = try EvemuReader.read(Array(input))
        } catch {
            return error.message.isEmpty || error.line < 0 ? "no message or line: \(error)" : nil
        }
        if let complaint = checkWriting(recording) ?? checkWriting(LibinputDevice(recording: recording)) {
            return complaint
        }
        guard case .ready(let setup) = PanelDecision(recording.description, configuration, fallbackName: "panel") else {
            return nil
        }
        let first = replay(recording, setup)
        let second = replay(recording, setup)
        if let complaint = first.complaint { return complaint }
        return first.text == second.text ? nil : "two replays differ"
    }

    /// Reads the input in the format of libinput. Each device must survive writing and reading without loss.
    static func runLibinput(_ input: UnsafeRawBufferPointer) -> String? {
        let devices: [LibinputDevice]
        do throws(RecordingError) {
            devices = try LibinputReader.read(Array(input))
        } catch {
            return error.message.isEmpty || error.line < 0 || error.column < 0 ? "no message or line: \(error)" : nil
        }
        if devices.isEmpty { return "no device and no error" }
        for device in devices {
            if let complaint = checkWriting(device) { return complaint }
            let recording = device.recording
            if case .ready(let setup) = PanelDecision(recording.description, configuration, fallbackName: "panel"),
                let complaint = replay(recording, setup).complaint
            {
                return complaint
            }
        }
        return nil
    }

    private static func checkWriting(_ device: LibinputDevice) -> String? {
        let written = LibinputWriter.write(device.recording, node: device.node, origin: .init(program: "fuzz"))
        do throws(RecordingError) {
            let again = try LibinputReader.read(written)
            return again == [device] ? nil : "differs when written and read:\n\(device)\n\(again)"
        } catch {
            return "cannot be read when written, \(error):\n\(String(decoding: written, as: UTF8.self))"
        }
    }

    private static func checkWriting(_ recording: Recording) -> String? {
        let written = EvemuWriter.write(recording)
        do throws(RecordingError) {
            let again = try EvemuReader.read(written)
            return again == recording ? nil : "differs when written and read:\n\(recording)\n\(again)"
        } catch {
            return "cannot be read when written, \(error):\n\(String(decoding: written, as: UTF8.self))"
        }
    }

    private static func replay(_ recording: Recording, _ setup: PanelSetup) -> LineLaws {
        let laws = LineLaws("replay", setup)
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        let isComplete = RecordingReplay.run(recording, through: &pipeline) { laws.check($0) }
        // The laws on the end of a stream do not hold if the recording ends while contacts are down.
        if isComplete, pipeline.isIdle { laws.finish() }
        return laws
    }
}
