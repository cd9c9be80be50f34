// SPDX-License-Identifier: MIT

/// A time on the kernel's `CLOCK_MONOTONIC`, in whole microseconds.
///
/// The engine never reads a clock: every timestamp is the time of a frame or is computed from one.
public struct Timestamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var microseconds: Int64

    @inlinable public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// A time later than all others.
    @inlinable public static var never: Self { Timestamp(microseconds: .max) }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    /// The time `interval` after this one; saturates instead of overflowing.
    @inlinable public static func + (a: Self, interval: Interval) -> Self {
        let (sum, overflow) = a.microseconds.addingReportingOverflow(interval.microseconds)
        return Timestamp(microseconds: overflow ? .max : sum)
    }

    /// The time `interval`, which is not negative, before this one; saturates instead of overflowing.
    static func - (a: Self, interval: Interval) -> Self {
        let (difference, overflow) = a.microseconds.subtractingReportingOverflow(interval.microseconds)
        return Timestamp(microseconds: overflow ? .min : difference)
    }

    /// The time from `b` to `a`; saturates instead of overflowing.
    @inlinable public static func - (a: Self, b: Self) -> Interval {
        let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
        return Interval(microseconds: overflow ? .max : difference)
    }
}

/// A length of time in whole microseconds, the resolution of kernel event times.
///
/// `Swift.Duration` is not used, because its attoseconds need a 128-bit division at every comparison with a kernel
/// time.
public struct Interval: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var microseconds: Int64

    @inlinable public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    @inlinable public static var zero: Self { Interval(microseconds: 0) }

    /// An interval that never elapses.
    public static let unlimited = Interval(microseconds: .max)

    @inlinable public static func milliseconds(_ value: Int64) -> Self { Interval(microseconds: value * 1000) }

    /// Whole milliseconds, rounded down: 499.9 ms gives 499.
    @inlinable public var wholeMilliseconds: Int64 { microseconds / 1000 }

    /// Milliseconds with fractions, for comparing and reporting limits.
    var inMilliseconds: Double { Double(microseconds) / 1000 }

    /// Seconds with fractions.
    @inlinable public var seconds: Double { Double(microseconds) / 1_000_000 }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
}
