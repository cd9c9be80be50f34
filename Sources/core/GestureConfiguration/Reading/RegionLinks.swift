// SPDX-License-Identifier: MIT
import GestureEngine

/// The links between regions: parents, and the gestures in the steps of patterns. A link to a region that does not
/// exist is only a warning, because a client may define the region while the daemon runs.
struct RegionLinks {
    private let regions: [RegionRule]
    private var places: [String: RegionIndex] = [:]
    private var parents: [RegionIndex?] = []
    /// The island of each region: the outermost private region that contains it, or the region itself; `nil` if the region
    /// is not private. A contact is passed only to regions of the same island, or only to regions outside all islands.
    private var islands: [RegionIndex?] = []
    /// The number of regions that own contacts, by island.
    private var owners: [RegionIndex?: Int] = [:]

    /// - Parameter regions: all regions, in any order.
    init(_ regions: [RegionRule]) {
        self.regions = regions
        for place in regions.regionIndices { places[regions[place].name] = place }
        parents = regions.map { region in region.parent.flatMap { places[RegionID.name(of: $0)] } }
        islands = findIslands()
        for place in regions.regionIndices where !regions[place].pass { owners[islands[place.raw], default: 0] += 1 }
    }

    private func findIslands() -> [RegionIndex?] {
        var islands = [RegionIndex?](repeating: nil, count: regions.count)
        var isKnown = [Bool](repeating: false, count: regions.count)
        for start in regions.regionIndices {
            var chain: [RegionIndex] = []
            var next: RegionIndex? = start
            while let place = next, !isKnown[place.raw] {
                isKnown[place.raw] = true
                chain.append(place)
                next = parents[place.raw]
            }
            var island = next.flatMap { islands[$0.raw] }
            for place in chain.reversed() {
                if island == nil, regions[place].isPrivate { island = place }
                islands[place.raw] = island
            }
        }
        return islands
    }

    /// - Parameters:
    ///   - rules: the regions whose links are checked.
    ///   - regions: all regions that the reader of the warnings may know.
    static func check(_ rules: [RegionRule], among regions: @autoclosure () -> [RegionRule], _ sink: DiagnosticSink) {
        guard rules.contains(where: { $0.hasPattern || $0.pass || $0.capture == .follow }) else { return }
        let links = Self(regions())
        for rule in rules {
            guard let place = links.places[rule.name] else { continue }
            for gesture in rule.gestures {
                for step in gesture.steps { links.check(step, of: gesture, in: place, sink) }
            }
            links.checkBorder(place, sink)
        }
    }

    private func check(
        _ rule: PatternStepRule, of gesture: GestureRule, in place: RegionIndex, _ sink: DiagnosticSink
    ) {
        guard let other = places[rule.step.region] else {
            sink.warning(
                .unmatched, "a step of \"\(gesture.name)\": no region is named \"\(rule.step.region)\"",
                suggestion: nearest(to: rule.step.region, among: regions.map { $0.name }), at: rule.range)
            return
        }
        let (region, name) = (regions[other], rule.step.gesture)
        let matches = region.gestures.filter { $0.name == name || $0.type.name == name }
        if matches.isEmpty {
            sink.warning(
                .unmatched, "a step of \"\(gesture.name)\": region \"\(region.name)\" has no gesture \"\(name)\"",
                suggestion: nearest(to: name, among: region.gestures.map { $0.name }), at: rule.range)
        } else if other == place, matches.allSatisfy({ $0.name == gesture.name }) {
            sink.warning(
                .noEffect, "a step of \"\(gesture.name)\" is the pattern itself: it can never be done", at: rule.range)
        } else if (islands[place.raw] == nil) != (islands[other.raw] == nil) {
            let (hidden, open) = islands[place.raw] == nil ? (other, place) : (place, other)
            sink.warning(
                .noEffect,
                "a step of \"\(gesture.name)\" can never be done: region \"\(regions[hidden].name)\" is private, and "
                    + "\"\(regions[open].name)\" is not", at: rule.range)
        }
    }

    /// Warns about a region that, because of the border of a private region, can never receive a contact or never hand
    /// one over to another region.
    private func checkBorder(_ place: RegionIndex, _ sink: DiagnosticSink) {
        let (region, island) = (regions[place], islands[place.raw])
        if region.pass, island != nil, owners[island] == nil {
            sink.warning(
                .neverHit,
                "region \"\(region.name)\" can never be hit: it is private with pass = true, and no private region around "
                    + "it or in it owns touches", at: region.location)
        }
        guard region.capture == .follow, !region.pass else { return }
        var targets = owners
        var next: RegionIndex? = place
        while let above = next {
            if !regions[above].pass { targets[islands[above.raw], default: 0] -= 1 }
            next = parents[above.raw]
        }
        let others = targets.values.reduce(0, +)
        if targets[island] == 0, others > 0 {
            sink.warning(
                .noEffect,
                "region \"\(region.name)\" cannot hand contacts over (capture): the border of a private region separates it "
                    + "from all other regions", at: region.location)
        }
    }

    /// Whether the border of a private region lies between these regions, so that no contact is ever passed to both.
    func areApart(_ first: String, _ second: String) -> Bool {
        guard let first = places[first], let second = places[second] else { return false }
        return islands[first.raw] != islands[second.raw]
    }
}
