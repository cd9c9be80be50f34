// SPDX-License-Identifier: MIT
import GestureEngine

/// Warnings about regions that are completely covered by regions above them.
extension LayoutWarnings {
    /// The maximum number of pieces into which covers may cut a region. If there are more, the region is not examined
    /// further.
    private static let mostPieces = 1024

    /// A region that takes touches from those below it, and its rectangle.
    private struct Cover {
        let region: RegionIndex
        let hidden: Rectangle
        /// The index of the region in the order from the lowest to the topmost.
        let height: Int
    }

    /// Warns about covered regions. The margin of such a region must also be covered. Every warning is correct, but not
    /// every covered region is found: only rectangles are considered as covers, and regions with children, which pass
    /// touches on to them, are not examined.
    ///
    /// A cover must be in every scene that contains the region.
    mutating func warnAboutCovered(_ chosen: some Collection<RegionIndex>) {
        var height = [Int](repeating: 0, count: regions.count)
        for (place, index) in RegionOrder.lowestFirst(regions).enumerated() { height[index.raw] = place }
        let covers: [Cover] = regions.regionIndices.compactMap { index in
            regions[index].hidden.map { Cover(region: index, hidden: $0, height: height[index.raw]) }
        }
        let isInScene = layout.scenes.map { scene in rules.map { scene.has($0.name) } }
        for index in chosen where !regions[index].pass && !layout.isParent[index.raw] {
            guard !regions[index].bounds.intersection(regions[index].clip).isEmpty else { continue }
            let reach = regions[index].reach.intersection(layout.panel.bounds)
            // This runs for every pair of regions. The cheap comparisons of numbers come first, because few regions overlap.
            let above = covers.filter { cover in
                cover.height > height[index.raw] && cover.hidden.intersects(reach) && mayCover(cover.region, index)
                    // A cover must be on whenever the region is.
                    && isInScene.allSatisfy { !$0[index.raw] || $0[cover.region.raw] }
            }
            warnIfCovered(index, reach, by: above)
        }
    }

    private mutating func warnIfCovered(_ index: RegionIndex, _ reach: Rectangle, by covers: [Cover]) {
        var free = [reach]
        var above: [RegionIndex] = []
        for cover in covers where free.contains(where: { $0.intersects(cover.hidden) }) {
            above.append(cover.region)
            free = free.flatMap { $0.subtracting(cover.hidden) }
            guard !free.isEmpty, free.count < Self.mostPieces else { break }
        }
        guard free.isEmpty else { return }
        let list = above.map { "\"\(regions[$0].name)\"" }.joined(separator: ", ")
        warn(
            .neverHit, "region \"\(regions[index].name)\" can never be hit: \(list) above cover it",
            at: rules[index].shapeLocation)
    }

    /// Whether a region may take touches from another one. For a region that an outsider has defined, private regions are
    /// left out, because the warning would reveal them.
    private func mayCover(_ other: RegionIndex, _ index: RegionIndex) -> Bool {
        if rules[index].isOutsider { return !regions[other].isPrivate }
        return !(regions[index].isPrivate && regions[other].yields)
    }
}

extension Region {
    /// The part of the panel in which this region takes every touch from the regions below it; `nil` if there is none.
    fileprivate var hidden: Rectangle? {
        guard case .rectangle(let rectangle) = shape, !pass else { return nil }
        let hidden = rectangle.intersection(clip)
        return hidden.isEmpty ? nil : hidden
    }
}

extension Rectangle {
    /// Returns this rectangle without `other`, as at most four rectangles.
    fileprivate func subtracting(_ other: Rectangle) -> [Rectangle] {
        let hole = intersection(other)
        if hole.isEmpty { return [self] }
        return [
            Rectangle(minX: minX, minY: minY, maxX: maxX, maxY: hole.minY),
            Rectangle(minX: minX, minY: hole.maxY, maxX: maxX, maxY: maxY),
            Rectangle(minX: minX, minY: hole.minY, maxX: hole.minX, maxY: hole.maxY),
            Rectangle(minX: hole.maxX, minY: hole.minY, maxX: maxX, maxY: hole.maxY),
        ].filter { !$0.isEmpty }
    }
}
