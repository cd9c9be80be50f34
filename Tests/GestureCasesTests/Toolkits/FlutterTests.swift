// SPDX-License-Identifier: MIT
import GestureEngine
import Testing

/// The steps of Flutter's tests of gestures, asserted as they go.
@Suite("Flutter", .enabled(if: SharedData.folder != nil, Comment(rawValue: SharedData.missing)))
struct FlutterTests {
    /// Tests that are about something that no touch shows, and what.
    static let elsewhere: [String: String] = [:]

    @Test func thereAreAsManyAsThereShouldBe() {
        #expect(StepCase.flutter.count >= 92)
    }

    @Test(arguments: StepCase.flutter)
    func asFlutter(test: StepCase) {
        let origin = Point(x: -100, y: -100)
        let scale = FlutterSetup.scale(test)
        let region = FlutterSetup.region(test)
        var player = CasePlayer([region], scale: scale, origin: origin)
        var observer = FlutterObserver(gestures: region.gestures, scale: scale, origin: origin)
        var mistakes: [String] = []
        for step in test.steps {
            if let touch = step.touch {
                if touch.phase != .move { observer.fingersChange() }
                player.play(frame: [touch])
            } else if step.op == "advance", let t = step.t {
                player.advance(to: t)
            } else if let what = step.what, let value = step.value {
                observer.take(player.events)
                if let mistake = observer.mistake(what, value) { mistakes.append(mistake) }
            }
        }
        print("FL", test.id, observer.comparisons, mistakes)
    }
}
