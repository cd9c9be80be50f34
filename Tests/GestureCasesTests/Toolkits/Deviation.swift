// SPDX-License-Identifier: MIT

/// Cases in which this engine differs from another toolkit on purpose.
enum Deviation {
    /// The result there, the one here and why, by the id of a case or the file and line of the toolkit's test.
    static let reasons: [String: String] = [
        "two-finger-tap-too-wide": """
        Chromium: two fingers more than 300 px apart make no two-finger tap. Here they do: two hands at a kiosk are no \
        mistake, and regions already say what belongs together.
        """,
        "tap_test.dart:275": """
        Flutter: of two overlapping taps the first counts. Here neither does: two fingers are not one (as in Android, \
        Chromium).
        """,
        "tap_test.dart:311": "As in tap_test.dart:275; the second finger lifts first.",
        "serial_tap_test.dart:421": "Flutter: the second of two overlapping taps counts. Here neither does.",
        "double_tap_test.dart:344": """
        Flutter: a tap that a second finger overlapped is the first of a double tap. Here an overlapped tap does not count.
        """,
        "double_tap_test.dart:295": """
        Flutter: min_gap counts from the first tap's landing, so a second landing at the very time of the lift counts. \
        Here it counts from the lift, as a panel's bounces do.
        """,
        "drag_test.dart:1457": "Flutter: with a second finger down, a finger that lifts taps. Here it does not.",
        "drag_test.dart:1522": "As in drag_test.dart:1457; the second finger lifts first.",
        "drag_test.dart:1660": "As in drag_test.dart:1522; the second finger then drags, as it does there.",
        "drag_test.dart:1588": """
        Flutter: a drag begins with any number of fingers. Here it begins with exactly `fingers`, so that drags of one and \
        of two fingers can be told apart.
        """,
        "drag_test.dart:458": """
        Flutter: a report at the place of the previous one is an update. Here it is not; for the velocity it counts.
        """,
        "multidrag_test.dart:45": """
        Flutter: a drag after a delay begins when the delay is over. Here `after = ["long_press"]` with `start = 0` begins \
        with the first movement after it; the long press has reported the delay.
        """,
        "scale_test.dart:15": "Flutter: one finger that is left goes on scaling by 1. Here fewer than two end a pinch.",
        "scale_test.dart:680": """
        Flutter: a scale begins anew with each number of fingers, one included. Here a pinch goes on without a jump from \
        two fingers to three and back, and needs two.
        """,
        "SinglePointerResampledData": """
        Android: samples that the system made up between two reports are not used. A kernel makes up none, so all count.
        """,
        "MultiPointerResampledData": "As in SinglePointerResampledData, with two fingers.",
        "ThreePointsPositiveVelocityTest": """
        Android's estimator IMPULSE: 20 px in 12.6 ms, then 2 ms at rest, is 1600 px/s. Here the parabola through three \
        samples ends at -231 px/s, against the movement, so the velocity is 0; the estimator is LSQ2 of Flutter and Android.
        """,
    ]

    static func holds(for id: String) -> Bool { reasons[id] != nil }
}
