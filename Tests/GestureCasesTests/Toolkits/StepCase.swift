// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// A toolkit's test as a list of steps: touches, waits and assertions.
struct StepCase: Sendable, CustomTestStringConvertible {
    /// The file and the line of the test, such as `tap_test.dart:100`.
    var id: String
    /// The recognizers or the region of the test.
    var setup: String
    /// The steps in the notation of `CaseScript`.
    var steps: String

    var testDescription: String { "\(id) \(setup)" }

    static let flutter = all("flutter.txt")
    static let hyprgrass = all("hyprgrass.txt")

    private static func all(_ name: String) -> [StepCase] {
        CaseTable.rows(name, columns: 3).map { StepCase(id: $0[0], setup: $0[1], steps: $0[2]) }
    }

    /// Plays the steps to a region.
    ///
    /// - Returns: the number of compared terms, and how the events differ from them.
    func play(_ region: Region, scale: Double) -> (comparisons: Int, mistakes: [String]) {
        // Some tests have negative positions.
        let origin = Point(x: -100, y: -100)
        var player = CasePlayer([region], scale: scale, origin: origin)
        var observer = StepObserver(gestures: region.gestures, scale: scale, origin: origin)
        var (comparisons, mistakes) = (0, [String]())
        for step in CaseScript(steps).steps {
            switch step {
            case .touch(let touch):
                if case .frame(let changes) = touch, changes.contains(where: { $0.kind != .moved }) {
                    observer.fingersChange(player.events)
                }
                player.play(touch)
            case .expect(let terms):
                observer.take(player.events)
                comparisons += terms.count
                mistakes += terms.compactMap { observer.mistake($0) }
            }
        }
        return (comparisons, mistakes)
    }
}
