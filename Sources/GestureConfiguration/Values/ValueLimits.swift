// SPDX-License-Identifier: MIT
package import GestureEngine

/// The largest values that a configuration may have.
package enum ValueLimits {
    /// The longest length that means anything, in its unit, and the highest speed: a kilometre of glass, more
    /// pixels than any output has.
    package static let largestLength = 1_000_000.0
    /// The longest time that a gesture may take.
    package static let longestTime = Interval.milliseconds(3_600_000)
}
