// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The steps of hyprgrass's tests: gestures of three fingers, and of one finger at the edge of the screen.
@Suite("hyprgrass")
struct HyprgrassTests {
    private static let scale = CasePlayer.millimetersPerPixel
    /// Tests whose assertions are only about the progress of gestures. Here they only check that the engine does not
    /// trap.
    private static let progressOnly: Set<String> = ["test.cpp:492"]

    @Test func countOfCases() {
        #expect(StepCase.hyprgrass.count == 24)
    }

    @Test(arguments: StepCase.hyprgrass.filter { $0.setup != "fails there" })
    func asHyprgrass(test: StepCase) {
        let (comparisons, mistakes) = test.play(Self.region(test.setup), scale: Self.scale)
        #expect(mistakes == [])
        #expect((comparisons == 0) == Self.progressOnly.contains(test.id))
    }

    /// - Parameter setup: `three fingers`, or `edge 20px at 2000px` for one finger that lands in this margin.
    private static func region(_ setup: String) -> Region {
        let everything = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        var box = everything
        let numbers = setup.split(separator: " ").compactMap { Measure(String($0))?.value }
        if let margin = numbers.first {
            let x = (numbers.dropFirst().first ?? 0) + 100
            box = Rectangle(minX: x * scale, minY: 0, maxX: (x + margin) * scale, maxY: 2000)
        }
        let fingers = numbers.isEmpty ? 3 : 1
        let settings: [(String, GestureSettings)] = [
            (
                "tap",
                tap(fingers: fingers) {
                    $0.slop = 100 * scale
                    $0.maxTime = .milliseconds(400)
                }
            ),
            (
                "long_press",
                longPress(fingers: fingers) {
                    $0.slop = 100 * scale
                    $0.delay = .milliseconds(400)
                }
            ),
            ("drag", drag(fingers: fingers) { $0.start = 150 * scale }),
            (
                "swipe",
                swipe(fingers: fingers) {
                    $0.minDistance = 150 * scale
                    $0.maxTime = .milliseconds(400)
                }
            ), ("pinch", pinch()),
        ]
        return Region(
            id: "r", shape: .rectangle(box), bounds: box, clip: everything,
            gestures: settings.map { Gesture(name: $0.0, word: $0.0, settings: $0.1) })
    }
}
