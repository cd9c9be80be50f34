// SPDX-License-Identifier: MIT

/// Cases in which this engine differs from another toolkit on purpose.
enum Deviation {
    /// The toolkit's result, this engine's result and the reason for the difference, keyed by the id of a case or by
    /// the file and line of the toolkit's test.
    static let reasons: [String: String] = [
        "two-finger-tap-too-wide": """
        Chromium: two fingers more than 300 px apart are not a two-finger tap. Here they are, because a tap with two \
        hands at a kiosk is not a mistake, and the regions already define which touches belong together.
        """,
        "tap_test.dart:275": """
        Flutter: the first of two overlapping taps is recognized. Here neither is, because two fingers are not a \
        one-finger tap (as in Android and Chromium).
        """,
        "tap_test.dart:311": "As in tap_test.dart:275; the second finger lifts first.",
        "serial_tap_test.dart:421": "Flutter: the second of two overlapping taps is recognized. Here neither is.",
        "double_tap_test.dart:344": """
        Flutter: a tap that overlaps with a second finger may be the first of a double tap. Here it is not a tap.
        """,
        "double_tap_test.dart:295": """
        Flutter: min_gap is measured from the first tap's landing, so the second tap may land at the time of the lift. \
        Here it is measured from the lift, because a panel's bounces follow the lift.
        """,
        "drag_test.dart:1457": "Flutter: a finger that lifts while a second one is down is a tap. Here it is not.",
        "drag_test.dart:1522": "As in drag_test.dart:1457; the second finger lifts first.",
        "drag_test.dart:1660": "As in drag_test.dart:1522. The second finger then drags in both engines.",
        "drag_test.dart:1588": """
        Flutter: a drag begins with any number of fingers. Here it begins with exactly `fingers`, so that drags of one and \
        of two fingers can be distinguished.
        """,
        "drag_test.dart:458": """
        Flutter: a report at an unchanged position is an update. Here it is not, but the velocity includes it.
        """,
        "multidrag_test.dart:45": """
        Flutter: a drag after a delay begins when the delay is over. Here a drag with `after = ["long_press"]` and \
        `start = 0` begins with the first movement after the delay, and the long press reports the end of the delay.
        """,
        "scale_test.dart:15": "Flutter: the last finger continues with scale 1. Here a pinch needs two fingers.",
        "scale_test.dart:680": """
        Flutter: a scale starts over when the number of fingers changes, even to one. Here a pinch continues without a jump \
        from two fingers to three and back, and needs at least two.
        """,
        "SinglePointerResampledData": """
        Android: samples that the system interpolated between two reports are not used. A kernel does not interpolate, so \
        all samples are used here.
        """,
        "MultiPointerResampledData": "As in SinglePointerResampledData, with two fingers.",
        "velocityEventData[2]": """
        Flutter: a finger that slows down to 39 px/s within 100 ms ends at that speed. Here a drag ends with the mean \
        speed of these 100 ms, 703 px/s, because the fitted speed is less than half of the mean.
        """,
        "LeastSquaresVelocityTrackerStrategy_Parabolic3": """
        As in velocityEventData[2]: Android's LSQ2 finds 0 px/s at the end of a parabola whose mean speed is 2000 px/s.
        """,
    ]

    static func holds(for id: String) -> Bool { reasons[id] != nil }
}
