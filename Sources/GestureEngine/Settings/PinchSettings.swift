// SPDX-License-Identifier: MIT

/// The numbers of a pinch, in millimetres, degrees and times.
package struct PinchSettings: Hashable, Sendable {
    /// Millimetres by which the span must have changed. Default 4.
    package var start = 4.0
    /// Millimetres below which a span is too small to be measured by: fingers that touch each other.
    package static let smallestSpan = 8.0

    package init() {}
}
