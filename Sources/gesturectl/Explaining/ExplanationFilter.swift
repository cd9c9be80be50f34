// SPDX-License-Identifier: MIT
import GestureProtocol

/// What of an explanation somebody asked for.
struct ExplanationFilter {
    private let regions: [Glob]
    private let gestures: [Glob]
    private let names: [Glob]

    init(_ filter: EventFilter) {
        regions = filter.region.map { Glob($0) }
        gestures = filter.gesture.map { Glob($0) }
        names = filter.name.map { Glob($0) }
    }

    /// Whether a region is asked for.
    func matches(region: String) -> Bool { Self.any(regions, region) }

    /// - Returns: what is left of it; nil when nobody wants to hear of it. Who asks for one region hears
    ///   where the fingers went instead, too.
    func apply(_ explanation: Explanation) -> Explanation? {
        guard let region = explanation.region else { return explanation }
        var rest = explanation
        let isAskedFor = matches(region: region)
        rest.recognized.removeAll { !isAskedFor || !wants($0.kind, $0.name) }
        rest.failed.removeAll { !isAskedFor || !wants($0.kind, $0.name) }
        let isTold = !rest.recognized.isEmpty || !rest.failed.isEmpty
        return isTold || (explanation.role == .owner && !explanation.isLate) ? rest : nil
    }

    private func wants(_ kind: String, _ name: String) -> Bool { Self.any(gestures, kind) && Self.any(names, name) }

    private static func any(_ globs: [Glob], _ text: String) -> Bool {
        globs.isEmpty || globs.contains { $0.matches(text) }
    }
}
