// SPDX-License-Identifier: MIT

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
                for step in gesture.steps {
                    if let index = indices[step.region] {
                        check(step, of: gesture, regions[index], isOwn: step.region == region.id, sink)
                    } else {
                        sink.warning(
                            .unmatched, "a step of \"\(gesture.name)\": no region is named \"\(step.region)\"",
                            suggestion: nearest(to: step.region, among: regions.map { $0.id }),
                            at: step.range)
                    }
                }
            }
        }
    }

    private static func check(
        _ step: PatternStepRule, of gesture: GestureRule, _ region: RegionRule, isOwn: Bool, _ sink: DiagnosticSink
    ) {
        let matches = region.gestures.filter { $0.name == step.gesture || $0.type.rawValue == step.gesture }
        if matches.isEmpty {
            sink.warning(
                .unmatched, "a step of \"\(gesture.name)\": region \"\(region.id)\" has no gesture \"\(step.gesture)\"",
                suggestion: nearest(to: step.gesture, among: region.gestures.map { $0.name }),
                at: step.range)
        } else if isOwn, matches.allSatisfy({ $0.name == gesture.name }) {
            sink.warning(
                .noEffect, "a step of \"\(gesture.name)\" is the pattern itself: it can never be done", at: step.range)
        }
    }
}
