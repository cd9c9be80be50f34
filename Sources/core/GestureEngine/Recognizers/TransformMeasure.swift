// SPDX-License-Identifier: MIT

/// The quantity that a pinch or a rotation measures, with its limits.
enum TransformMeasure {
    /// The span, as a factor.
    case pinch(PinchSettings)
    /// The rotation, in degrees.
    case rotate(RotateSettings)

    /// Changes smaller than this, in millimetres, are rounding errors.
    private static let rounding = 0.001
    /// The smallest span in millimetres that can be measured: that of two fingers that touch each other.
    static let smallestSpan = 8.0

    /// The value before any movement: a scale of 1, or a rotation of 0.
    var neutral: Double {
        switch self {
        case .pinch: 1
        case .rotate: 0
        }
    }

    /// The change at which the gesture begins, in the unit of `change`.
    private var start: Double {
        switch self {
        case .pinch(let settings): settings.start
        case .rotate(let settings): settings.start
        }
    }

    /// The failure code for a change that is smaller than `start`.
    private var shortfall: GestureFailure.Code {
        switch self {
        case .pinch: .tooShort
        case .rotate: .smallTurn
        }
    }

    /// The smallest change between two updates, in the unit of `change`.
    var step: Double {
        switch self {
        case .pinch(let settings): settings.step
        case .rotate(let settings): settings.step
        }
    }

    /// The value reached, starting from `carried` at `base`: a factor, or radians.
    func reached(_ motion: GroupMotion, since base: GroupMotion, from carried: Double) -> Double {
        switch self {
        // A span below 1 mm gives no meaningful scale.
        case .pinch: carried * motion.span / max(base.span, 1)
        case .rotate: carried + motion.turn - base.turn
        }
    }

    /// The change since `base` in millimetres or degrees, the units of `start` and `step`.
    func change(_ motion: GroupMotion, since base: GroupMotion) -> Double {
        switch self {
        case .pinch: (motion.span - base.span).magnitude
        case .rotate: (motion.turn - base.turn).magnitude * 180 / .pi
        }
    }

    /// The length of the measured motion in millimetres.
    func own(_ motion: GroupMotion, since base: GroupMotion) -> Double {
        let travel = motion.since(base)
        return switch self {
        case .pinch: travel.spread
        case .rotate: travel.arc
        }
    }

    /// Whether the contacts have moved in an accepted direction. Changes within rounding errors have no direction.
    func allows(_ motion: GroupMotion, since base: GroupMotion) -> Bool {
        let isStill = own(motion, since: base) < Self.rounding
        return switch self {
        case .pinch(let settings):
            isStill ? settings.directions.count > 1 : settings.directions.contains(motion.span < base.span ? .in : .out)
        case .rotate(let settings):
            isStill
                ? settings.directions.count > 1
                : settings.directions.contains(motion.turn < base.turn ? .counterclockwise : .clockwise)
        }
    }

    /// Whether the contacts have moved in a direction that is not accepted.
    func forbids(_ motion: GroupMotion, since base: GroupMotion) -> Bool {
        own(motion, since: base) >= Self.rounding && !allows(motion, since: base)
    }

    /// Whether the contacts are closer than `min_span`.
    func isTooClose(_ motion: GroupMotion) -> Bool {
        if case .pinch(let settings) = self { settings.minSpan.exceeds(motion.span) } else { false }
    }

    /// The reason why the gesture is not recognized at the current positions; `nil` if all limits hold.
    ///
    /// - Parameters:
    ///   - base: the arrangement when the number of contacts last changed.
    ///   - recent: the arrangement relative to which motions are compared.
    func failure(_ contacts: RegionContacts, since base: GroupMotion, _ recent: MotionBase) -> GestureFailure? {
        let motion = contacts.measured
        let smaller = min(motion.span, base.span)
        if Self.smallestSpan.exceeds(smaller) {
            return GestureFailure(.smallSpan, value: smaller, limit: Self.smallestSpan, isFixed: true)
        }
        if case .pinch(let settings) = self, settings.minSpan.exceeds(motion.span) {
            return GestureFailure(.smallSpan, value: motion.span, limit: settings.minSpan)
        }
        let origin = recent.mark.motion
        let own = own(motion, since: origin)
        if !(start * recent.factor).exceeds(change(motion, since: origin)), allows(motion, since: origin),
            !contacts.farthest(since: recent.mark).distance.exceeds(own)
        {
            return nil
        }
        // The failure reports the change since `base`.
        let all = change(motion, since: base)
        if start.exceeds(all) { return GestureFailure(shortfall, value: all, limit: start) }
        if forbids(motion, since: base) { return GestureFailure(.wrongDirection, value: all, limit: start) }
        // Real two-finger drags wobble, so the larger motion decides.
        let distance = max(contacts.farthest(since: recent.mark).distance, recent.yielded)
        return GestureFailure(.dominated, value: own, limit: max(own, distance))
    }
}
