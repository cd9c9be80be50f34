// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import TouchSharing

/// Finds the warnings about a layout. They are grouped by subject; within each group, they have the order of the
/// regions.
struct LayoutWarnings {
    let layout: PanelLayout
    private var found: [Diagnostic] = []

    var rules: [RegionRule] { layout.rules }
    var regions: [Region] { layout.regions }

    /// - Parameter chosen: the indices of the regions to check, in order.
    static func find(in layout: PanelLayout, about chosen: some Collection<RegionIndex>) -> [Diagnostic] {
        guard !chosen.isEmpty else { return [] }
        var warnings = Self(layout: layout)
        for index in chosen { warnings.warnIfOutside(index) }
        warnings.warnAboutGestures(chosen)
        warnings.warnAboutCovered(chosen)
        if !layout.isSizeKnown { warnings.warnAboutMillimeters(chosen) }
        return warnings.found
    }

    mutating func warn(_ code: DiagnosticCode, _ message: String, at location: SourceLocation) {
        found.append(Diagnostic(severity: .warning, code: code, message: message, at: location))
    }

    /// The fraction of a region's area that may lie outside without a warning. It allows for rounding, and for a deliberate
    /// overlap of a pixel.
    private static let toleratedOutside = 0.005

    /// Warns if a region lies partly or completely outside its output or its parent.
    private mutating func warnIfOutside(_ index: RegionIndex) {
        let (rule, region) = (rules[index], regions[index])
        let location = rule.shapeLocation
        // This is computed only when it is used, because few regions need a warning.
        var parent: String { region.parent.map { "its parent \"\(regions[$0].name)\"" } ?? output }
        guard !region.bounds.isEmpty, !region.shape.isFlat else {
            warn(.neverHit, "region \"\(rule.name)\" can never be hit: it has no area", at: location)
            return
        }
        let visible = region.bounds.intersection(region.clip)
        guard !visible.isEmpty else {
            warn(.neverHit, "region \"\(rule.name)\" can never be hit: it lies outside \(parent)", at: location)
            return
        }
        // A circle around a corner of the screen is the usual shape of a touch corner.
        let clip = region.clip
        if case .circle(let center, _) = region.shape, center.x >= clip.minX, center.x <= clip.maxX,
            center.y >= clip.minY, center.y <= clip.maxY
        {
            return
        }
        let all = region.bounds.width * region.bounds.height
        let outside = 1 - visible.width * visible.height / all
        if outside > Self.toleratedOutside {
            let percent = max(1, Int((outside * 100).rounded()))
            warn(.outside, "region \"\(rule.name)\" lies \(percent) % outside \(parent)", at: location)
        }
    }

    private var output: String {
        let panel = layout.panel
        return "output \"\(layout.name)\" (\(Int(panel.widthPixels.rounded()))x\(Int(panel.heightPixels.rounded())))"
    }

    private mutating func warnAboutGestures(_ chosen: some Collection<RegionIndex>) {
        // The warnings for clients without the right `private` depend only on names that these clients may know.
        let names = placesByName { !regions[$0].isShadowed }
        let openNames = placesByName { !regions[$0].isPrivate }
        for index in chosen { warnAboutGestures(of: index, rules[index].isOutsider ? openNames : names) }
    }

    private func placesByName(_ isVisible: (RegionIndex) -> Bool) -> [String: RegionIndex] {
        Dictionary(regions.regionIndices.filter(isVisible).map { (regions[$0].name, $0) }) { $1 }
    }

    private mutating func warnAboutGestures(of index: RegionIndex, _ names: [String: RegionIndex]) {
        let region = regions[index]
        // The steps of a guest's patterns are not followed into other regions, because this could take arbitrarily
        // long. For the same reason delays are computed only where a warning depends on them.
        let isGuest = rules[index].isGuest
        var delays = DecisionDelays(
            region, in: regions, depth: isGuest ? 0 : DecisionDelays.depth, place: { names[$0] })
        if layout.share == .forward { warnAboutSharing(of: index) }
        if region.contacts == .each, region.restAfter != nil {
            warn(
                .noEffect,
                "region \"\(region.name)\": rest_after has no effect, because contacts is \"each\": contacts do not "
                    + "disturb each other",
                at: rules[index].location)
        }
        for (i, gesture) in region.gestures.enumerated() {
            let location = rules[index].gestures[i].location
            warnAboutKind(of: i, in: index, &delays)
            if region.contacts == .each, gesture.settings.fingers > 1 {
                warn(
                    .noEffect,
                    "\(region.name).\(gesture.name) can never be recognized: it needs several contacts, but "
                        + "contacts is \"each\"",
                    at: location)
            }
            if case .longPress(let hold) = gesture.settings, let rest = region.restAfter, hold.fingers > 1,
                hold.delay >= rest
            {
                warn(
                    .noEffect,
                    "\(region.name).\(gesture.name) is rarely recognized: its delay is not shorter than "
                        + "rest_after, so one of its fingers is usually removed as resting",
                    at: location)
            }
            if !gesture.unless.isEmpty, delays.delay(i).moment == .never {
                warnAboutUnless(gesture, region, location)
            }
        }
    }

    private mutating func warnAboutUnless(_ gesture: Gesture, _ region: Region, _ location: SourceLocation) {
        let names = gesture.unless.map { "\"\($0)\"" }.joined(separator: ", ")
        let message =
            "\(region.name).\(gesture.name) may never be recognized: gestures that must fail first (\(names)) are "
            + "recognized at once, or are still possible at the lift"
        warn(.noEffect, message, at: location)
    }

    /// Warns about the first length in millimetres that is given in the file, once for private regions and once for others.
    private mutating func warnAboutMillimeters(_ chosen: some Collection<RegionIndex>) {
        for isPrivate in [false, true] { warnAboutMillimeters(chosen, isPrivate: isPrivate) }
    }

    private mutating func warnAboutMillimeters(_ chosen: some Collection<RegionIndex>, isPrivate: Bool) {
        for index in rules.regionIndices where regions[index].isPrivate == isPrivate {
            let rule = rules[index]
            let location: SourceLocation
            if rule.shape.lengths.contains(where: { $0.unit == .millimeters }) {
                location = rule.shapeLocation
            } else if rule.margin?.unit == .millimeters {
                location = rule.location
            } else if let gesture = rule.gestures.first(where: { $0.lengths.contains { $0.unit == .millimeters } }) {
                location = gesture.location
            } else {
                continue
            }
            guard chosen.contains(index) else { return }
            warn(
                .unknownSize,
                "lengths are in mm, but the size of \(output) is unknown and assumed; set size_mm in its [[device]]",
                at: location)
            return
        }
    }
}
