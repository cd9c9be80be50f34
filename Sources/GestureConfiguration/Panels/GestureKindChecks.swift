// SPDX-License-Identifier: MIT
package import GestureEngine
import TouchSharing

/// The checks that depend on the kind of gesture. A new kind needs a case in each `switch` here.
extension DecisionDelays {
    /// Returns the delay of a gesture without its `after` and `unless`.
    mutating func ownDelay(_ gesture: Gesture) -> DecisionDelay {
        let wait = wait(of: gesture.settings)
        return switch gesture.settings.decision {
        case .landing(let time): DecisionDelay(interval: max(time, wait), moment: .landing)
        case .movement: DecisionDelay(moment: .movement)
        case .lift: DecisionDelay(interval: wait, moment: .lift)
        case .lastStep: delay(of: gesture.settings.lastStep)
        }
    }

    /// Returns how long a tap waits for another tap. It waits only if there is a tap with a higher count and the same
    /// number of fingers.
    private func wait(of settings: GestureSettings) -> Interval {
        guard case .tap(let tap) = settings else { return .zero }
        let hasLonger = gestures.contains { gesture in
            if case .tap(let other) = gesture.settings {
                other.fingers == tap.fingers && other.count > tap.count
            } else {
                false
            }
        }
        return tap.wait && hasLonger ? tap.gap : .zero
    }

    /// Returns the failure time of a gesture without its `after` and `unless`.
    func ownFailureTime(_ gesture: Gesture) -> FailureTime {
        // If the preceding taps are missing, it fails at the landing.
        if gesture.settings.taps > 0 { return FailureTime(landing: .zero, lift: gap) }
        var lift = wait(of: gesture.settings)
        if case .tap(let tap) = gesture.settings, tap.count > 1 { lift = tap.gap }
        return switch gesture.settings.latestFailure {
        case .after(let time): FailureTime(landing: time, lift: lift)
        case .lift: FailureTime(lift: lift)
        case .never: FailureTime(isNever: true)
        }
    }
}

extension GestureSettings {
    /// The last step of a pattern; `nil` for other kinds.
    fileprivate var lastStep: PatternSettings.Step? {
        if case .pattern(let pattern) = self { pattern.steps.last } else { nil }
    }
}

extension LayoutWarnings {
    /// Returns the problem of a gesture in a region with these `touches` on a shared panel, or `nil`.
    func sharingProblem(of gesture: Gesture, _ touches: Region.Touches) -> String? {
        let cure = "give the region touches = \"capture\" or \"hold\""
        switch touches {
        case .capture: return gesture.consumes ? "consumes contacts that the region already captures" : nil
        case .hold:
            return gesture.settings.kind == .press ? "begins at the landing, so hold acts like capture" : nil
        case .share: break
        }
        switch gesture.settings {
        case .pattern: return "does not keep its touches from the application; \(cure)"
        case .tap(let tap) where tap.count > 1:
            return "does not keep its first tap from the application; \(cure)"
        case .tap, .press, .longPress:
            guard gesture.consumes, layout.cancel == .lift else { return nil }
            return "ends its touch with a lift, which the application treats as a click; \(cure)"
        case .repeat, .drag, .swipe, .pinch, .rotate, .dial, .chain, .stroke: return nil
        }
    }

    /// Warns about settings of one gesture that contradict each other or its region.
    /// - Parameter i: the index of the gesture in region `index`.
    mutating func warnAboutKind(of i: Int, in index: RegionIndex, _ delays: inout DecisionDelays) {
        let region = regions[index]
        let gesture = region.gestures[i]
        let location = rules[index].gestures[i].location
        let name = "\(region.name).\(gesture.name)"
        if let problem = gesture.settings.contradiction { warn(.noEffect, "\(name) \(problem)", at: location) }
        switch gesture.settings {
        case .tap(let tap):
            warnAboutTap(tap, name, delays.delay(i), location)
            if tap.staysInside { warnIfNeverOutside(region, slop: tap.slop, name, location) }
        case .longPress(let longPress):
            if longPress.staysInside { warnIfNeverOutside(region, slop: longPress.slop, name, location) }
        case .repeat(let settings): warnAboutRepeat(settings, name, location)
        case .swipe(let swipe):
            if case .edge = rules[index].shape { return }
            let longest = swipe.directions.map { room(in: region, $0) }.max()
            warnIfTooLong(swipe.minDistance, "min_distance", longest, name, location)
        case .drag(let drag): warnAboutDrag(drag, name, location)
        case .dial(let dial): warnAboutDial(dial, name, region, location)
        case .chain(let chain):
            if case .edge = rules[index].shape { return }
            let shortest = chain.path.map { room(in: region, $0) }.min()
            warnIfTooLong(chain.minSegment, "min_segment", shortest, name, location)
        case .stroke(let stroke): warnIfHidden(stroke, name, region.gestures[..<i], location)
        case .press, .pinch, .rotate, .pattern: break
        }
    }

    private mutating func warnAboutTap(
        _ tap: TapSettings, _ name: String, _ delay: DecisionDelay, _ location: SourceLocation
    ) {
        if tap.wait, delay.interval > .zero {
            warn(.waits, "\(name) is decided \(delay)", at: location)
        } else if tap.wait {
            warn(.noEffect, "\(name) has wait, but there is no tap with a higher count to wait for", at: location)
        }
        if tap.fingers == 1, tap.maxLiftSpread != nil {
            warn(.noEffect, "\(name): max_lift_spread has no effect for a single finger", at: location)
        }
    }

    private mutating func warnIfNeverOutside(
        _ region: Region, slop: Double, _ name: String, _ location: SourceLocation
    ) {
        guard region.leaveDistance.exceeds(slop) else { return }
        let (slop, leave) = (plain(rounded(slop)), plain(rounded(region.leaveDistance)))
        warn(
            .noEffect,
            "\(name): inside has no effect: a finger exceeds slop (\(slop) mm) before it leaves the region "
                + "at \(leave) mm (leave)",
            at: location)
    }

    private mutating func warnAboutRepeat(_ settings: RepeatSettings, _ name: String, _ location: SourceLocation) {
        if settings.interval < settings.minInterval {
            warn(.noEffect, "\(name) never reaches its min_interval: interval is shorter", at: location)
        }
    }

    private mutating func warnAboutDrag(_ drag: DragSettings, _ name: String, _ location: SourceLocation) {
        if drag.isLocked, drag.axis == .any {
            warn(
                .noEffect, "\(name): lock has no effect without an axis; set axis = \"horizontal\" or \"vertical\"",
                at: location)
        }
        if drag.zoom, drag.isLocked, drag.axis == .horizontal {
            warn(.noEffect, "\(name) always has the scale 1: lock keeps it from moving up and down", at: location)
        }
        if drag.minFingers > drag.fingers {
            warn(
                .noEffect,
                "\(name) may begin with fewer fingers than its min_fingers, and then ends with the first lift",
                at: location)
        }
    }

    private mutating func warnAboutDial(
        _ dial: DialSettings, _ name: String, _ region: Region, _ location: SourceLocation
    ) {
        let reach = Vector(dx: region.bounds.width, dy: region.bounds.height).length / 2
        if dial.center == .region, dial.minRadius.exceeds(reach) {
            let (needed, available) = (plain(rounded(dial.minRadius)), plain(rounded(reach)))
            warn(
                .tooLong,
                "\(name) turns at \(needed) mm from the centre of its region (min_radius), but its region ends at "
                    + "\(available) mm",
                at: location)
        }
        if dial.center == .drawn, dial.start < DialSettings.leastDrawn, dial.start != DialSettings().start {
            warn(
                .noEffect,
                "\(name): start has no effect, because a drawn circle needs a turn of \(plain(DialSettings.leastDrawn))°",
                at: location)
        }
    }

    /// Warns about a stroke that an earlier one of its region always equals or outscores.
    private mutating func warnIfHidden(
        _ stroke: StrokeSettings, _ name: String, _ earlier: ArraySlice<Gesture>, _ location: SourceLocation
    ) {
        let other = earlier.first { gesture in
            guard case .stroke(let other) = gesture.settings, gesture.after.isEmpty else { return false }
            return other.minScore <= stroke.minScore && other.minLength <= stroke.minLength
                && other.rotation >= stroke.rotation && (other.closed || !stroke.closed)
                && stroke.templates.allSatisfy { template in
                    other.templates.contains { $0.score(of: template, rotation: 0, closed: other.closed) > 0.999 }
                }
        }
        guard let other else { return }
        warn(
            .noEffect,
            "\(name) can never be recognized: \"\(other.name)\" of the same region comes first and has the same shape",
            at: location)
    }

    /// The longest movement in a direction that stays in the region.
    private func room(in region: Region, _ direction: SwipeDirection) -> Double {
        let box = region.bounds
        return switch direction {
        case .left, .right: box.width
        case .up, .down: box.height
        case .upLeft, .upRight, .downLeft, .downRight: Vector(dx: box.width, dy: box.height).length
        }
    }

    /// Warns about a movement that is longer than its region. A finger may leave its region, but a gesture for which it
    /// must leave it is rarely intended.
    private mutating func warnIfTooLong(
        _ length: Double, _ key: String, _ room: Double?, _ name: String, _ location: SourceLocation
    ) {
        guard let room, room < length else { return }
        let (needed, available) = (plain(rounded(length)), plain(rounded(room)))
        warn(.tooLong, "\(name) needs \(needed) mm (\(key)), but its region has only \(available) mm", at: location)
    }

    private func rounded(_ millimeters: Double) -> Double { (millimeters * 10).rounded() / 10 }
}

extension GestureSettings {
    /// The reason why nobody can make the gesture, because its limits contradict each other; `nil` if they do not. It
    /// follows the gesture's name in a warning.
    fileprivate var contradiction: String? {
        switch self {
        case .tap(let tap): tap.contradiction
        case .repeat(let settings) where settings.maxDuration < settings.delay:
            "can never be recognized: max_duration is shorter than delay"
        case .swipe(let swipe) where swipe.minVelocity > SwipeSettings.fastest:
            "can never be recognized: no finger is as fast as its min_velocity; set at most "
                + "\(plain(SwipeSettings.fastest)) mm/s"
        case .swipe(let swipe) where swipe.minDistance > SwipeSettings.fastest * swipe.maxTime.seconds:
            "can never be recognized: no finger moves min_distance within its max_time"
        case .chain(let chain)
        where Double(chain.path.count) * chain.minSegment > SwipeSettings.fastest * chain.maxTime.seconds:
            "can never be recognized: no finger draws its path within its max_time"
        case .chain(let chain) where chain.minSegment == 0:
            "can hardly be recognized: with a min_segment of 0, every tremble is a segment"
        case .press, .longPress, .repeat, .drag, .swipe, .pinch, .rotate, .dial, .chain, .stroke, .pattern: nil
        }
    }
}

extension TapSettings {
    fileprivate var contradiction: String? {
        if minTime >= maxTime { return "can never be recognized: min_time is not shorter than max_time" }
        guard count > 1, minGap >= gap, bounceDistance > 0 else { return nil }
        // With a `distance` greater than `bounce_distance`, a second tap that is not a bounce may still be near enough.
        return bounceDistance >= distance
            ? "can never be recognized: min_gap is not shorter than gap"
            : "can hardly be recognized: min_gap is not shorter than gap, so another tap in the same place is a bounce"
    }
}

extension Configuration {
    /// Warns about gestures that work without a profile, but that nobody can make while one is in force.
    package func profileWarnings(for panel: PanelSize, rule: DeviceRule?) -> [Diagnostic] {
        var runtime = runtime
        var warnings: [Diagnostic] = []
        var known = Set(layout(for: panel, rule: rule).contradictions.map(\.location))
        for profile in profiles {
            runtime.profile = profile.id
            for (text, location) in applying(runtime).layout(for: panel, rule: rule).contradictions
            where known.insert(location).inserted {
                let message = "with profile \"\(profile.id)\", \(text)"
                warnings.append(Diagnostic(severity: .warning, code: .noEffect, message: message, at: location))
            }
        }
        return warnings
    }
}

extension PanelLayout {
    /// The gestures whose limits contradict each other.
    fileprivate var contradictions: [(text: String, location: SourceLocation)] {
        zip(regions, rules).flatMap { region, rule in
            zip(region.gestures, rule.gestures).compactMap { gesture, rule in
                gesture.settings.contradiction.map { ("\(region.name).\(gesture.name) \($0)", rule.location) }
            }
        }
    }
}
