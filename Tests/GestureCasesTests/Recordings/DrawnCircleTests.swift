// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Circles in recordings")
struct DrawnCircleTests {
    /// On the touchpad, a finger turns.
    private static let drawn = PanelRecording.paintings + ["SynPS2_Synaptics_TouchPad-with-scrollbuttons"]

    @Test("are drawn in paint programs only", arguments: PanelRecording.all.filter { !drawn.contains($0.name) })
    func none(recording: PanelRecording) {
        var page = region("page", (0, 0, recording.width, recording.height), [dial { $0.center = .drawn }])
        page.clip = Rectangle(minX: 0, minY: 0, maxX: recording.width, maxY: recording.height)
        #expect(recording.recognitions([page]).isEmpty)
    }
}
