// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Recordings
import Testing

/// A recording of a device, treated as a touchscreen with a known size.
struct PanelRecording: CustomTestStringConvertible, Sendable {
    var name: String
    var description: DeviceDescription
    var touchProtocol: TouchProtocol
    var events: [KernelEvent]
    /// The width of the output in millimetres, in the output's own orientation.
    var width = 160.0
    var height = 100.0
    var calibration = AffineMatrix.identity

    var testDescription: String { name }

    /// The synthetic recordings, followed by those of real devices if these are available.
    static let all: [PanelRecording] = synthetic + real

    /// Recordings of paint programs, in which people draw letters and other shapes.
    static let paintings = ["galaxy-paint-new", "galaxys-paint"]

    static let synthetic: [PanelRecording] = SyntheticRecording.all.compactMap { synthetic in
        guard var recording = PanelRecording(synthetic.name, Array(synthetic.text.utf8)) else { return nil }
        (recording.width, recording.height) = (synthetic.panel.width, synthetic.panel.height)
        return recording
    }

    /// Recordings of real devices with slots or a single contact. Devices with protocol A are left out.
    static let real: [PanelRecording] = realFiles.compactMap { url in
        guard let data = try? Data(contentsOf: url) else { return nil }
        return PanelRecording(url.deletingPathExtension().lastPathComponent, Array(data))
    }

    /// All files with recordings of real devices, including those that cannot be played.
    static let realFiles: [URL] = {
        guard let folder = SharedData.recordings,
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        else { return [] }
        return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "evemu" }.sorted { $0.path < $1.path }
    }()

    /// Returns `nil` if the file cannot be read or its device cannot be played.
    private init?(_ name: String, _ file: [UInt8]) {
        guard let recording = try? EvemuReader.read(file) else { return nil }
        self.name = name
        description = recording.description
        events = recording.events
        if let slot = description.axis(EventCode.absMTSlot) {
            touchProtocol = .slots(count: max(1, min(64, Int(slot.maximum) + 1)))
        } else if events.contains(where: { $0.code == EventCode.btnTouch }), !description.hasMultitouchPositions {
            touchProtocol = .singleTouch
        } else {
            return nil
        }
    }

    var start: Timestamp { events.first?.time ?? Timestamp(microseconds: 0) }

    /// The recording's frames, each with its final `SYN_REPORT`.
    var frames: [[KernelEvent]] {
        get {
            var frames: [[KernelEvent]] = [[]]
            for event in events {
                frames[frames.count - 1].append(event)
                if event.endsFrame { frames.append([]) }
            }
            return frames.filter { !$0.isEmpty }
        }
        set { events = Array(newValue.joined()) }
    }

    /// Calls `body` with each frame of the panel.
    func track(_ body: (borrowing TouchFrame) -> Void) {
        let output = OutputSettings(
            sizePixels: OutputSettings.Size(width: width * 10, height: height * 10),
            sizeMillimeters: OutputSettings.Size(width: width, height: height), calibration: .matrix(calibration))
        let mapping = AxisMapping(description, output: output)
        let filter = FilterSettings(maxContactAge: nil, storm: nil)
        var tracker = SlotTracker(description, protocol: touchProtocol, mapping: mapping, filter: filter)
        for event in events where tracker.feed(event) { body(tracker.frame) }
    }

    /// The gestures that a panel with these regions recognizes.
    func play(_ regions: [Region]) -> [GestureEvent] {
        var engine = GestureEngine(
            regions, bounds: Rectangle(minX: 0, minY: 0, maxX: width, maxY: height))
        var events: [GestureEvent] = []
        track { engine.process($0, into: &events) }
        let end = (self.events.last?.time ?? start) + .milliseconds(10_000)
        engine.advance(to: end, into: &events)
        return events
    }
}
