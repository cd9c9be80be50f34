// SPDX-License-Identifier: MIT

/// A moment on the kernel's `CLOCK_MONOTONIC`, in whole microseconds.
///
/// The engine never reads a clock: every timestamp comes from a frame, or from a deadline that
/// was computed from one.
@frozen
package struct Timestamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var microseconds: Int64

    @inlinable
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Later than everything.
    package static let never = Timestamp(microseconds: .max)

    @inlinable
    package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    /// The moment `interval` after this one; saturates instead of overflowing.
    @inlinable
    package static func + (a: Self, interval: Interval) -> Self {
        let (sum, overflow) = a.microseconds.addingReportingOverflow(interval.microseconds)
        return Timestamp(microseconds: overflow ? .max : sum)
    }

    /// The time from `b` to `a`; saturates instead of overflowing.
    @inlinable
    package static func - (a: Self, b: Self) -> Interval {
        let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
        return Interval(microseconds: overflow ? .max : difference)
    }
}

/// A length of time in whole microseconds, the grain of kernel event times.
///
/// Not `Swift.Duration`: its attoseconds would need a 128-bit division at every comparison with
/// a kernel time.
@frozen
package struct Interval: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var microseconds: Int64

    @inlinable
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static let zero = Interval(microseconds: 0)

    @inlinable
    package static func milliseconds(_ value: Int64) -> Self { Interval(microseconds: value * 1000) }

    /// Whole milliseconds, rounded down: 499.9 ms have not been 500 ms.
    @inlinable
    package var wholeMilliseconds: Int64 { microseconds / 1000 }

    /// With fractions, as limits are compared and reported.
    var inMilliseconds: Double { Double(microseconds) / 1000 }

    @inlinable
    package var seconds: Double { Double(microseconds) / 1_000_000 }

    @inlinable
    package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
}
