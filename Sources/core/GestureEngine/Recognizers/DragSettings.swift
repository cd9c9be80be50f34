// SPDX-License-Identifier: MIT

/// The settings of a drag. Lengths are in millimetres.
package struct DragSettings: Hashable, Sendable {
    /// A movement along this axis begins the drag; a movement along the other axis makes it fail.
    package enum Axis: String, SettingWord { case any, horizontal, vertical }

    /// The origin of the translation.
    package enum Origin: String, SettingWord {
        /// The position where the drag began, so that it starts without a jump.
        case start
        /// The position where the contact landed.
        case down
    }

    /// The numbers of contacts with which the drag can begin. Default 1...1.
    package var fingerRange = 1...1
    /// The number of contacts below which the drag ends. Default 1: it ends with the last lift.
    package var minFingers = 1
    /// The number of one-finger taps that must directly precede the drag. Default 0: no requirement.
    package var taps = 0
    /// The distance in millimetres that the centroid must move to begin the drag; 0 begins it at the landing. Default
    /// 3.
    package var start = 3.0
    /// The axis of the drag. Default any.
    package var axis = Axis.any
    /// The origin of the translation. Default start.
    package var from = Origin.start
    /// Whether movement across the axis is reported as 0. Requires an axis. Default false.
    package var isLocked = false
    /// The distance in millimetres that the centroid must move before the next update. Default 0.
    package var step = 0.0
    /// Whether events carry a scale, which follows from the vertical translation. Default false.
    package var zoom = false

    package init() {}

    /// The smallest number of contacts with which the drag can begin. Setting it makes it the only allowed number.
    package var fingers: Int {
        get { fingerRange.lowerBound }
        set { fingerRange = newValue...newValue }
    }

    /// Whether the drag begins only while the contacts travel farther than they pinch or turn. This is not compared if
    /// several numbers of contacts are allowed, because a finger that moves beside a resting thumb is then a drag.
    var weighsMotions: Bool { fingerRange.count == 1 && fingers > 1 }
}

extension DragSettings {
    /// The magnification per millimetre, as in Gecko's one-touch pinch: 0.005 per pixel of 1/96 inch.
    private static let zoomRate = 0.005 * 96 / 25.4

    /// The scale of a translation: moving down enlarges, moving up reduces by the same factor. `nil` unless `zoom` is
    /// set.
    func scale(_ translation: Vector) -> Double? {
        guard zoom else { return nil }
        let factor = 1 + translation.dy.magnitude * Self.zoomRate
        return translation.dy < 0 ? 1 / factor : factor
    }

    /// The vector without its component across the axis, if the drag is locked to the axis.
    func locked(_ vector: Vector) -> Vector {
        guard isLocked else { return vector }
        return switch axis {
        case .any: vector
        case .horizontal: Vector(dx: vector.dx, dy: 0)
        case .vertical: Vector(dx: 0, dy: vector.dy)
        }
    }
}

extension DragSettings {
    package static let keys: [Setting] = [
        .fingerRange("fingers", \Self.fingerRange).limits(.tooManyContacts, .tooFewContacts),
        .fingers("min_fingers", \Self.minFingers),
        .taps("taps", \Self.taps),
        .length("start", \Self.start).limits(.tooShort, lenient: .below),
        .word("axis", \Self.axis).limits(.wrongAxis),
        .word("from", \Self.from),
        .flag("lock", \Self.isLocked),
        .length("step", \Self.step),
        .flag("zoom", \Self.zoom),
    ]
}

extension DragSettings: RecognizerSettings {
    var decision: Decision { start > 0 ? .movement : .landing() }
    var latestFailure: LatestFailure { .lift }
    var demand: Demand { .drag }
    var leastMovement: Double { start }
    var directionWords: [String] { axis == .any ? [] : [axis.word] }

    func accepts(_ moved: Vector) -> Bool {
        switch axis {
        case .any: true
        case .horizontal: moved.dx.magnitude >= moved.dy.magnitude
        case .vertical: moved.dy.magnitude >= moved.dx.magnitude
        }
    }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        DragRecognizer(self, contacts)
    }
}
