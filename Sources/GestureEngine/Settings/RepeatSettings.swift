// SPDX-License-Identifier: MIT

/// The numbers of a repeat, in millimetres, degrees and times.
package struct RepeatSettings: Hashable, Sendable {
    /// From landing to the first repetition. Default 500 ms: GestureButton.
    package var delay = Interval.milliseconds(500)
    /// From the first repetition to the second. Default 100 ms: GestureButton.
    package var interval = Interval.milliseconds(100)
    /// Every interval is the one before times this; in (0, 1]. Default 1: a steady rate.
    package var accelerate = 1.0
    /// The shortest interval that acceleration leads to. Default 30 ms.
    package var minInterval = Interval.milliseconds(30)
    /// No repetition later than this after landing. Default 60 s: a hand left on the glass.
    package var maxDuration = Interval.milliseconds(60_000)

    package init() {}
}
