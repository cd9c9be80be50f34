// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline
import GestureTestSupport
import Testing

@Suite("The first touch")
struct WarmUpTests {
    private func lines(_ gestures: String) throws -> Int {
        let text =
            panelTable() + """
                [filter]
                mask = [[0, 0, 100, 100]]
                [[region]]
                id = "ok"
                shape = { rect = [0, 0, 10, 10] }
                gestures = [\(gestures)]
                """
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        return PanelPipeline.warmUp(try InterestTests.setup(configuration))
    }

    @Test(
        "what is played before it makes lines of each kind of gesture, wherever regions and masks lie",
        arguments: [
            (#""press""#, 4), (#""tap""#, 1), (#""press", "tap""#, 5), (#""drag""#, 5), (#""pinch""#, 0), ("", 0),
        ])
    func lines(gestures: String, least: Int) throws {
        #expect(try lines(gestures) >= least)
    }

    @Test("nothing is left of it: the next one makes as many")
    func forgotten() throws {
        let gestures = #""press", "tap", "double_tap", "long_press", "swipe", "drag", "pinch", "rotate""#
        #expect(try lines(gestures) == lines(gestures))
    }
}
