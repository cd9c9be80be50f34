// SPDX-License-Identifier: MIT

/// Tells of steps of patterns that nothing can do now. They are no errors: a client may define the
/// region while the daemon runs.
enum PatternCheck {
    /// - Parameters:
    ///   - rules: whose patterns are looked at.
    ///   - regions: all that there are.
    static func check(_ rules: [RegionRule], among regions: [RegionRule], _ report: Report) {
        var indices: [String: Int] = [:]
        for (i, region) in regions.enumerated() { indices[region.id] = i }
        for region in rules {
            for gesture in region.gestures {
                for step in gesture.steps {
                    if let index = indices[step.region] {
                        check(step, of: gesture, regions[index], isOwn: step.region == region.id, report)
                    } else {
                        report.warning(
                            .unmatched, "a step of \"\(gesture.name)\": no region is named \"\(step.region)\"",
                            suggestion: Suggestion.nearest(to: step.region, among: regions.map { $0.id }),
                            at: step.place)
                    }
                }
            }
        }
    }

    private static func check(
        _ step: PatternStepRule, of gesture: GestureRule, _ region: RegionRule, isOwn: Bool, _ report: Report
    ) {
        let matches = region.gestures.filter { $0.name == step.gesture || $0.word == step.gesture }
        if matches.isEmpty {
            report.warning(
                .unmatched, "a step of \"\(gesture.name)\": region \"\(region.id)\" has no gesture \"\(step.gesture)\"",
                suggestion: Suggestion.nearest(to: step.gesture, among: region.gestures.map { $0.name }),
                at: step.place)
        } else if isOwn, matches.allSatisfy({ $0.name == gesture.name }) {
            report.warning(
                .noEffect, "a step of \"\(gesture.name)\" is the pattern itself: it can never be done", at: step.place)
        }
    }
}
