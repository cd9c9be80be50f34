// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Variants of the recordings of real devices lead to the same gestures.
@Suite("Variants of recordings", .enabled(if: SharedData.folder != nil, Comment(rawValue: SharedData.missing)))
struct RecordingLawTests {
    private func regions(_ recording: RealRecording, mirrored: Bool = false) -> [Region] {
        RealRegions.make(width: recording.width, height: recording.height, mirrored: mirrored)
    }

    /// All files but those of protocol A can be played, and have many gestures.
    @Test func thereIsSomethingToCompare() {
        #expect(RealRecording.all.count >= 30)
        #expect(RealRecording.fileCount - RealRecording.all.count <= 11)
        let all = RealRecording.all.flatMap { $0.recognitions(regions($0)) }
        let changes: [(RealRecording) -> RealRecording] = [\.split, \.halved, \.withEmptyFrames]
        for change in changes {
            #expect(RealRecording.all.count { change($0).frames.count > $0.frames.count } >= 30)
        }
        for word in ["tap", "2-finger tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate"] {
            #expect(all.contains { $0.text.contains(word) }, "\(word)")
        }
    }

    @Test("a panel that is mounted one to four quarter turns further", arguments: RealRecording.all)
    func turned(recording: RealRecording) {
        let expected = recording.recognitions(regions(recording))
        var turned = recording
        for _ in 1...4 {
            turned = turned.turned
            #expect(turned.recognitions(regions(recording)) == expected)
        }
    }

    @Test("a panel with finer units", arguments: RealRecording.all, [2, 3, 10])
    func scaled(recording: RealRecording, factor: Int32) {
        let expected = recording.recognitions(regions(recording))
        #expect(recording.scaled(by: factor).recognitions(regions(recording)) == expected)
    }

    @Test("at another time", arguments: RealRecording.all, [1, 137_035, 86_400_000_000, 9_000_000_000_000_000])
    func shifted(recording: RealRecording, microseconds: Int64) {
        let expected = recording.recognitions(regions(recording))
        let shifted = recording.shifted(by: Interval(microseconds: microseconds))
        #expect(shifted.recognitions(regions(recording)) == expected)
    }

    @Test("with other slots and tracking ids", arguments: RealRecording.all)
    func renumbered(recording: RealRecording) {
        let expected = recording.recognitions(regions(recording))
        #expect(recording.renumbered.recognitions(regions(recording)) == expected)
    }

    @Test("with empty frames", arguments: RealRecording.all)
    func emptyFrames(recording: RealRecording) {
        let expected = recording.recognitions(regions(recording))
        #expect(recording.withEmptyFrames.recognitions(regions(recording)) == expected)
    }

    /// Continuous gestures may begin with the first half of a movement.
    @Test("with movements in two frames of one time", arguments: RealRecording.all)
    func split(recording: RealRecording) {
        let expected = recording.recognitions(regions(recording), isDiscrete: true)
        #expect(recording.split.recognitions(regions(recording), isDiscrete: true) == expected)
    }

    /// In one region only: between nested regions the gesture that is recognized first wins, and with finer steps that
    /// may be another one.
    @Test("with movements in two frames, half and half", arguments: RealRecording.all)
    func halved(recording: RealRecording) {
        let page = Array(regions(recording).prefix(1))
        let expected = recording.recognitions(page, isDiscrete: true)
        #expect(recording.halved.recognitions(page, isDiscrete: true) == expected)
    }

    @Test("mirrored", arguments: RealRecording.all)
    func mirrored(recording: RealRecording) {
        let expected = recording.recognitions(regions(recording))
        let mirrored = recording.mirrored.recognitions(regions(recording, mirrored: true), isMirrored: true)
        #expect(mirrored == expected)
    }
}
