// SPDX-License-Identifier: MIT
package import GestureEngine
import TouchSharing

/// The checks of one kind of gesture, each for what the kind's own settings say. A kind without any does not conform.
protocol CheckedSettings {
    /// The limits that contradict each other, so that nobody can make the gesture; `nil` if none do. The text follows the
    /// gesture's name in a warning.
    var contradiction: String? { get }

    /// Returns the settings that contradict each other or the region.
    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem]

    /// Returns the reason why an application still receives the touches of the gesture, although the gesture may use
    /// them; it follows the gesture's name in a warning.
    /// - Parameter endsWithLift: whether a contact that the gesture consumes ends with a lift for the application.
    func sharingProblem(endsWithLift: Bool) -> String?

    /// Reports the times that somebody may be too slow or too quick for.
    func checkTiming(of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck)
}

extension CheckedSettings {
    var contradiction: String? { nil }
    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] { [] }
    func sharingProblem(endsWithLift: Bool) -> String? { nil }
    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {}
}

extension GestureSettings {
    var checks: (any CheckedSettings)? { ofKind as? any CheckedSettings }
}

/// A gesture of a region, as the checks of its kind see it.
struct PlacedGesture {
    let region: Region
    /// The shape of the region, as configured.
    let shape: ShapeRule
    /// The index of the gesture in the region.
    let index: Int

    /// The gestures that the region lists before it.
    var earlier: ArraySlice<Gesture> { region.gestures[..<index] }
    /// The names of the region and of the gesture: `list.swipe`.
    var name: String { "\(region.name).\(region.gestures[index].name)" }
}

/// A warning about a gesture.
struct GestureProblem {
    let code: DiagnosticCode
    let message: String

    init(_ message: String) { self.init(.noEffect, message) }

    init(_ code: DiagnosticCode, _ message: String) { (self.code, self.message) = (code, message) }
}

extension PlacedGesture {
    /// Finds a movement that is longer than its region. A finger may leave its region, but a gesture for which it must leave
    /// it is rarely intended, except from an edge.
    /// - Parameters:
    ///   - key: the key of the length.
    ///   - room: the longest movement that stays in the region.
    func problems(ofMovement length: Double, _ key: String, room: Double?) -> [GestureProblem] {
        if case .edge = shape { return [] }
        guard let room, room < length else { return [] }
        let (needed, available) = (tenths(length), tenths(room))
        return [
            GestureProblem(
                .tooLong, "\(name) needs \(needed) mm (\(key)), but its region has only \(available) mm")
        ]
    }

    /// Finds a key `inside` that has no effect, because the finger fails the gesture before it leaves the region.
    func problems(ofInside staysInside: Bool, slop: Double) -> [GestureProblem] {
        guard staysInside, region.leaveDistance.exceeds(slop) else { return [] }
        let (slop, leave) = (tenths(slop), tenths(region.leaveDistance))
        return [
            GestureProblem(
                "\(name): inside has no effect: a finger exceeds slop (\(slop) mm) before it leaves the region "
                    + "at \(leave) mm (leave)")
        ]
    }
}

/// A length in millimetres for a message, with at most one decimal.
func tenths(_ length: Double) -> String { plain((length * 10).rounded() / 10) }

extension LayoutWarnings {
    /// Returns the problem of a gesture in a region with these `touches` on a shared panel, or `nil`.
    func sharingProblem(of gesture: Gesture, _ touches: Region.Touches) -> String? {
        switch touches {
        case .capture: return gesture.consumes ? "consumes contacts that the region already captures" : nil
        case .hold:
            return gesture.settings.kind == .press ? "begins at the landing, so hold acts like capture" : nil
        case .share:
            let problem = gesture.settings.checks?.sharingProblem(
                endsWithLift: gesture.consumes && layout.cancel == .lift)
            return problem.map { "\($0); give the region touches = \"capture\" or \"hold\"" }
        }
    }

    /// Warns about settings of one gesture that contradict each other or its region.
    /// - Parameter i: the index of the gesture in region `index`.
    mutating func warnAboutKind(of i: Int, in index: RegionIndex, _ delays: inout DecisionDelays) {
        let location = rules[index].gestures[i].location
        let place = PlacedGesture(region: regions[index], shape: rules[index].shape, index: i)
        guard let checks = place.region.gestures[i].settings.checks else { return }
        if let problem = checks.contradiction { warn(.noEffect, "\(place.name) \(problem)", at: location) }
        for problem in checks.problems(of: place, &delays) { warn(problem.code, problem.message, at: location) }
    }
}

extension Configuration {
    /// Warns about gestures that a profile makes impossible.
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
                gesture.settings.checks?.contradiction.map {
                    ("\(region.name).\(gesture.name) \($0)", rule.location)
                }
            }
        }
    }
}
