// SPDX-License-Identifier: MIT

/// The numbers of a pattern, in millimetres, degrees and times.
package struct PatternSettings: Hashable, Sendable {
    /// One gesture of the sequence.
    package struct Step: Hashable, Sendable {
        /// The name of a gesture, or its word.
        package var gesture: String
        /// The id of its region.
        package var region: String

        package init(gesture: String, region: String) {
            self.gesture = gesture
            self.region = region
        }
    }

    /// In their order; none: it never comes.
    package var steps: [Step] = []
    /// From one step to the next, at most. Default 2 s: somebody who knows the sequence by heart.
    package var maxGap = Interval.milliseconds(2000)
    /// From the first step to the last, at most. Default 10 s.
    package var timeout = Interval.milliseconds(10_000)
    /// Wrong sequences until the lockout. Default 5.
    package var attempts = 5
    /// How long nothing is looked for then. Default 60 s; 0: never locked out.
    package var lockout = Interval.milliseconds(60_000)

    package init() {}
}
