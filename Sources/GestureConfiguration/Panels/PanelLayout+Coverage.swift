// SPDX-License-Identifier: MIT
import GestureEngine

extension PanelLayout {
    /// A region of which more pieces are left is not examined further.
    private static let mostPieces = 1024

    /// Warns about regions that others above cover completely.
    ///
    /// Every warning is true, but not every covered region is found: only rectangles count as covers, and
    /// regions with children (which pass touches up) or with a margin are not examined.
    ///
    /// - Parameter scenes: a cover must be in every scene that has the region.
    mutating func warnAboutCovered(_ scenes: [SceneRule]) {
        let heights = stackingHeights()
        let shown = scenes.map { scene in regions.map { scene.has($0.id) } }
        let parents = Set(regions.compactMap { $0.parent })
        for (index, region) in regions.enumerated() where !region.pass && region.margin == 0 {
            let drawn = region.bounds.intersection(region.clip)
            if parents.contains(index) || drawn.isEmpty { continue }
            var free = [drawn]
            var covers: [String] = []
            for (other, cover) in regions.enumerated() {
                guard (heights[other], other) > (heights[index], index), !cover.pass,
                    shown.allSatisfy({ !$0[index] || $0[other] }),
                    case .rectangle(let rectangle) = cover.shape, free.count < Self.mostPieces
                else { continue }
                let hidden = rectangle.intersection(cover.clip)
                if free.contains(where: { $0.intersects(hidden) }) {
                    covers.append("\"\(cover.id)\"")
                    free = free.flatMap { $0.subtracting(hidden) }
                }
            }
            if free.isEmpty {
                let list = covers.joined(separator: ", ")
                warn(
                    .neverHit, "region \"\(region.id)\" can never be hit: \(list) above cover it",
                    at: rules[index].shapeLocation)
            }
        }
    }

    /// For each region its `z`, or its parent's height if that is higher, as in the engine.
    private func stackingHeights() -> [Int] {
        var heights: [Int] = []
        for region in regions {
            let parent = region.parent.flatMap { heights.indices.contains($0) ? heights[$0] : nil }
            heights.append(max(region.z, parent ?? region.z))
        }
        return heights
    }
}

extension Rectangle {
    /// What is left of it without `other`: at most four rectangles.
    func subtracting(_ other: Rectangle) -> [Rectangle] {
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
