// SPDX-License-Identifier: MIT

/// Cases in which this engine deliberately differs from another toolkit. `docs/gestures.md` lists them with the
/// reasons.
enum Deviation {
    /// The ids of cases, or files and lines of the toolkit's tests.
    static let all: Set<String> = [
        "two-finger-tap-too-wide",
        "SinglePointerResampledData",
        "MultiPointerResampledData",
        "ThreePointsPositiveVelocityTest",
        "double_tap_test.dart:295",
        "double_tap_test.dart:344",
        "drag_test.dart:458",
        "drag_test.dart:1457",
        "drag_test.dart:1522",
        "drag_test.dart:1588",
        "drag_test.dart:1660",
        "multidrag_test.dart:45",
        "scale_test.dart:15",
        "scale_test.dart:680",
        "serial_tap_test.dart:421",
        "tap_test.dart:275",
        "tap_test.dart:311",
    ]

    static func holds(for id: String) -> Bool { all.contains(id) }
}
