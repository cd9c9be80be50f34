// SPDX-License-Identifier: MIT
import GestureEngine

/// Warns about steps of patterns that no gesture matches. That is no error, because a client may define the
/// region while the daemon runs.
enum PatternCheck {
    /// - Parameters:
    ///   - rules: the regions whose patterns are checked.
    ///   - regions: all regions.
    static func check(_ rules: [RegionRule], among regions: [RegionRule], _ sink: DiagnosticSink) {
        var indices: [String: Int] = [:]
        for (i, region) in regions.enumerated() { indices[region.id] = i }
        for region in rules {
            for gesture in region.gestures {
                for rule in gesture.steps {
                    guard let index = indices[rule.step.region] else {
                        sink.warning(
                            .unmatched, "a step of \"\(gesture.name)\": no region is named \"\(rule.step.region)\"",
                            suggestion: nearest(to: rule.step.region, among: regions.map { $0.id }), at: rule.range)
                        continue
                    }
                    check(rule, of: gesture, regions[index], isOwn: rule.step.region == region.id, sink)
                }
            }
        }
    }

    private static func check(
        _ rule: PatternStepRule, of gesture: GestureRule, _ region: RegionRule, isOwn: Bool, _ sink: DiagnosticSink
    ) {
        let name = rule.step.gesture
        let matches = region.gestures.filter { $0.name == name || $0.type.rawValue == name }
        if matches.isEmpty {
            sink.warning(
                .unmatched, "a step of \"\(gesture.name)\": region \"\(region.id)\" has no gesture \"\(name)\"",
                suggestion: nearest(to: name, among: region.gestures.map { $0.name }), at: rule.range)
        } else if isOwn, matches.allSatisfy({ $0.name == gesture.name }) {
            sink.warning(
                .noEffect, "a step of \"\(gesture.name)\" is the pattern itself: it can never be done", at: rule.range)
        }
    }
}
