// SPDX-License-Identifier: MIT

/// Tells from two clocks whether the machine has slept. Pure.
///
/// `CLOCK_BOOTTIME` runs while the machine sleeps, `CLOCK_MONOTONIC` does not. They cannot be read at one
/// moment: a process that is interrupted between the two reads would see a sleep that was none. So the
/// second one is read before and after, and only what lies beyond both counts.
package struct SuspendDetector: Hashable, Sendable {
    /// The clocks, in microseconds, in the order in which they were read.
    package struct Reading: Hashable, Sendable {
        package var before: Int64
        package var boot: Int64
        package var after: Int64

        package init(before: Int64, boot: Int64, after: Int64) {
            self.before = before
            self.boot = boot
            self.after = after
        }
    }

    /// Each clock is cut off to whole microseconds.
    private static let rounding: Int64 = 2

    /// The machine has slept no longer than this, as of `awake`.
    private var largestSleep: Int64
    /// Monotonic: when it was last known to be awake.
    private var awake: Int64

    package init(_ first: Reading) {
        largestSleep = first.boot - first.before
        awake = first.after
    }

    /// Takes the clocks as they are now.
    /// - Returns: when the machine was last known to be awake, monotonic, if it has slept since; else `nil`.
    package mutating func sleepBegan(_ reading: Reading) -> Int64? {
        let (least, most) = (reading.boot - reading.after, reading.boot - reading.before)
        let before = awake
        awake = reading.after
        if least > largestSleep + Self.rounding {
            largestSleep = most
            return before
        }
        largestSleep = min(largestSleep, most)
        return nil
    }
}
