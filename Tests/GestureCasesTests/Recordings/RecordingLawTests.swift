// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Variants of a recording have the same gestures as the recording.
@Suite("Variants of recordings")
struct RecordingLawTests {
    private func regions(_ recording: PanelRecording, mirrored: Bool = false) -> [Region] {
        RecordingRegions.make(width: recording.width, height: recording.height, mirrored: mirrored)
    }

    @Test func syntheticOnesDiffer() {
        checkVariety(PanelRecording.synthetic)
    }

    /// All files except those of protocol A can be played.
    @Test(.enabled(if: SharedData.recordings != nil, Comment(rawValue: SharedData.missing)))
    func realOnesDiffer() {
        #expect(PanelRecording.realFiles.count - PanelRecording.real.count <= 11)
        checkVariety(PanelRecording.real)
    }

    /// Checks that the recordings have gestures of every kind, and that the variants differ from the recordings.
    private func checkVariety(_ recordings: [PanelRecording]) {
        #expect(recordings.count >= 30)
        let all = recordings.flatMap { $0.recognitions(regions($0)) }
        let changes: [(PanelRecording) -> PanelRecording] = [\.split, \.halved, \.withEmptyFrames]
        for change in changes {
            // Recordings with taps have no movements to split.
            #expect(recordings.count { change($0).frames.count > $0.frames.count } >= 28)
        }
        for word in ["tap", "2-finger tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate"] {
            #expect(all.contains { $0.text.contains(word) }, "\(word)")
        }
    }

    @Test("on a panel that is mounted one to four quarter turns further", arguments: PanelRecording.all)
    func turned(recording: PanelRecording) {
        let expected = recording.recognitions(regions(recording))
        var turned = recording
        for _ in 1...4 {
            turned = turned.turned
            #expect(turned.recognitions(regions(recording)) == expected)
        }
    }

    @Test("on a panel with finer units", arguments: PanelRecording.all, [2, 3, 10])
    func scaled(recording: PanelRecording, factor: Int32) {
        let expected = recording.recognitions(regions(recording))
        #expect(recording.scaled(by: factor).recognitions(regions(recording)) == expected)
    }

    @Test("at another time", arguments: PanelRecording.all, [1, 137_035, 86_400_000_000, 9_000_000_000_000_000])
    func shifted(recording: PanelRecording, microseconds: Int64) {
        let expected = recording.recognitions(regions(recording))
        let shifted = recording.shifted(by: Interval(microseconds: microseconds))
        #expect(shifted.recognitions(regions(recording)) == expected)
    }

    @Test("with other slots and tracking ids", arguments: PanelRecording.all)
    func renumbered(recording: PanelRecording) {
        let expected = recording.recognitions(regions(recording))
        #expect(recording.renumbered.recognitions(regions(recording)) == expected)
    }

    @Test("with empty frames", arguments: PanelRecording.all)
    func emptyFrames(recording: PanelRecording) {
        let expected = recording.recognitions(regions(recording))
        #expect(recording.withEmptyFrames.recognitions(regions(recording)) == expected)
    }

    /// Compares only discrete gestures, because continuous ones may begin with the first half of a movement.
    @Test("with movements in two frames of the same time", arguments: PanelRecording.all)
    func split(recording: PanelRecording) {
        let expected = recording.recognitions(regions(recording), isDiscrete: true)
        #expect(recording.split.recognitions(regions(recording), isDiscrete: true) == expected)
    }

    /// Uses only one region. In nested regions, the gesture that is recognized first wins, and finer steps may change
    /// which one that is.
    @Test("with movements in two frames, half and half", arguments: PanelRecording.all)
    func halved(recording: PanelRecording) {
        let page = Array(regions(recording).prefix(1))
        let expected = recording.recognitions(page, isDiscrete: true)
        #expect(recording.halved.recognitions(page, isDiscrete: true) == expected)
    }

    @Test("mirrored", arguments: PanelRecording.all)
    func mirrored(recording: PanelRecording) {
        let expected = recording.recognitions(regions(recording))
        let mirrored = recording.mirrored.recognitions(regions(recording, mirrored: true), isMirrored: true)
        #expect(mirrored == expected)
    }
}
