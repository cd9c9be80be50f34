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
    /// Taps of one finger that must come right before. Default 0: any.
    package var taps = 0
    /// Millimetres that the centroid must have moved; 0: begins at landing. Default 3.
    package var start = 3.0
    /// Default any.
    package var axis = Axis.any
    /// Default start.
    package var from = Origin.start
    /// Along the other axis it reports no movement. Default false; needs an axis.
    package var isLocked = false
    /// Millimetres that the centroid must have moved since the last update. Default 0.
    package var step = 0.0
    /// It tells a scale, which follows from the vertical translation. Default false.
    package var zoom = false

    package init() {}
}

extension DragSettings {
    /// How much a millimetre enlarges: Gecko's one-touch pinch, 0.005 for each pixel of 1/96 inch.
    private static let zoomRate = 0.005 * 96 / 25.4

    /// The factor that a translation makes, if it makes one: downwards larger, upwards as much smaller.
    func scale(_ translation: Vector) -> Double? {
        guard zoom else { return nil }
        let factor = 1 + translation.dy.magnitude * Self.zoomRate
        return translation.dy < 0 ? 1 / factor : factor
    }
}

extension DragSettings: RecognizerSettings {
    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        DragRecognizer(self, contacts)
    }
}
