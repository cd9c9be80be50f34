// SPDX-License-Identifier: MIT

/// The numbers of a drag, in millimetres, degrees and times.
package struct DragSettings: Hashable, Sendable {
    /// Along which a movement begins it; the other one ends the attempt.
    package enum Axis: Hashable, Sendable { case any, horizontal, vertical }

    /// What the translation is measured from.
    package enum Origin: Hashable, Sendable {
        /// Where the drag began: no jump at the start.
        case start
        /// Where the contact landed.
        case down
    }

    /// Contacts when it begins.
    package var fingers = 1
    /// Millimetres that the centroid must have moved; 0: begins at landing. Default 3.
    package var start = 3.0
    /// Default any.
    package var axis = Axis.any
    /// Default start.
    package var from = Origin.start

    package init() {}
}
