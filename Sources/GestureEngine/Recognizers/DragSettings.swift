// SPDX-License-Identifier: MIT

/// The settings of a drag, in millimetres, degrees and times.
package struct DragSettings: Hashable, Sendable {
    /// The axis along which a movement begins the drag. A movement along the other one fails it.
    package enum Axis: Hashable, Sendable { case any, horizontal, vertical }

    /// The origin of the translation.
    package enum Origin: Hashable, Sendable {
        /// The position where the drag began, so that it starts without a jump.
        case start
        /// The position where the contact landed.
        case down
    }

    /// The number of contacts at the begin.
    package var fingers = 1
    /// The number of one-finger taps that must directly precede the drag. Default 0: any.
    package var taps = 0
    /// The distance in millimetres that the centroid must have moved; 0 begins at the landing. Default 3.
    package var start = 3.0
    /// The axis of the drag. Default any.
    package var axis = Axis.any
    /// The origin of the translation. Default start.
    package var from = Origin.start
    /// Whether movement across the axis is left out. Needs an axis. Default false.
    package var isLocked = false
    /// The distance in millimetres that the centroid must have moved since the last update. Default 0.
    package var step = 0.0
    /// Whether events carry a scale, which follows from the vertical translation. Default false.
    package var zoom = false

    package init() {}
}

extension DragSettings {
    /// The magnification per millimetre: Gecko's one-touch pinch, 0.005 per pixel of 1/96 inch.
    private static let zoomRate = 0.005 * 96 / 25.4

    /// The scale of a translation: moving down enlarges, moving up reduces by the same factor. `nil` unless `zoom` is
    /// set.
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
