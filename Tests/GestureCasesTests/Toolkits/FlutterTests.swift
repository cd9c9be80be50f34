// SPDX-License-Identifier: MIT
import Testing

/// The steps of Flutter's gesture tests, with their assertions.
@Suite("Flutter")
struct FlutterTests {
    /// Tests of properties that touches cannot show, with a description of the property.
    static let elsewhere: [String: String] = [
        "double_tap_test.dart:436": "a member of the arena that the test made itself wins",
        "double_tap_test.dart:732": "the lift is missing from the steps in the table",
        "drag_test.dart:540": "the words of a log that two recognizers share",
        "drag_test.dart:829": "pointer events that do not come from a device",
        "drag_test.dart:1799": "the last member of the arena wins because the others have withdrawn",
        "serial_tap_test.dart:136": "two recognizers, one of which wins the arena",
        "serial_tap_test.dart:161": "two recognizers, one of which wins the arena",
        "serial_tap_test.dart:186": "a member of the arena that the test made itself wins",
        "serial_tap_test.dart:226": "a member of the arena that the test made itself wins",
        "serial_tap_test.dart:440": "a recognizer without callbacks",
        "tap_test.dart:437": "a member of the arena that the test made itself wins",
        "tap_test.dart:468": "an arena that the test holds open",
        "tap_test.dart:503": "an exception in a callback",
        "tap_test.dart:528": "the text of an error",
        "tap_test.dart:556": "the log of the arena",
    ]

    @Test func countOfCases() {
        #expect(StepCase.flutter.count == 92)
        #expect(Set(StepCase.flutter.map(\.id)).count == 92)
    }

    @Test(arguments: StepCase.flutter)
    func asFlutter(test: StepCase) throws {
        let region = try #require(FlutterSetup.region(test.setup))
        let (comparisons, mistakes) = test.play(region, scale: FlutterSetup.scale(test.setup))
        // The list must be up to date: a test that has comparisons and passes does not belong in it.
        guard Self.elsewhere[test.id] == nil else {
            #expect(!mistakes.isEmpty || comparisons == 0)
            return
        }
        #expect(comparisons > 0)
        #expect(mistakes.isEmpty != Deviation.holds(for: test.id), "\(mistakes)")
    }
}
