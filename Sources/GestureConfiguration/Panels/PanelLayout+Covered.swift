// SPDX-License-Identifier: MIT
import GestureEngine

extension PanelLayout {
    /// A region of which more pieces are left is not examined further.
    private static let mostPieces = 1024

    /// Warns about regions that others above cover completely.
    ///
    /// Every warning is true, but not every covered region is found: only rectangles count as covers, and
    /// regions with children (which pass touches up) are not examined. A margin must be covered too.
    ///
    /// A cover must be in every scene that has the region.
    mutating func warnAboutCovered(since old: PanelLayout?) {
        let examined = regionsToExamine(since: old)
        guard !examined.isEmpty else { return }
        let covers = CoverGrid(coversAround(examined), panel: panel.bounds)
        for index in examined {
            warnIfCovered(index, by: covers)
            notes[index].set(.covered, takeFound())
        }
    }

    /// What may hide a part of some regions: to look at where a region lies takes less time than to see what it hides.
    private func coversAround(_ examined: [Int]) -> [CoverGrid.Cover] {
        var boxes = examined.map { regions[$0].reach.intersection(panel.bounds) }.filter { !$0.isEmpty }
        if boxes.count > Self.fewExamined { boxes = [boxes.reduce(boxes[0]) { $0.union($1) }] }
        return regions.indices(reachingInto: boxes).compactMap { index in regions[index].hidden.map { (index, $0) } }
    }

    private static let fewExamined = 4

    /// Those that have changed, and those around which something has changed that hides others.
    private func regionsToExamine(since old: PanelLayout?) -> [Int] {
        // Of two at the same height, the later is above.
        guard let old, predecessors.isInOrder else { return Array(regions.indices) }
        let (gone, new) = (predecessors.otherMissing, predecessors.missing)
        if gone.isEmpty, new.isEmpty { return [] }
        let nowHidden = new.compactMap { place in regions[place].hidden.map { (place, $0) } }
        let onceHidden = gone.compactMap { place in old.regions[place].hidden.map { (place, $0) } }
        let added = CoverGrid(nowHidden, panel: panel.bounds)
        let changes = CoverGrid(onceHidden + nowHidden, panel: panel.bounds)
        return regions.indices.filter { index in
            guard let place = predecessors[index], isParent[index] == old.isParent[place] else { return true }
            if let point = notes[index].freePoint { return added.covers(point) }
            if regions[index].pass || isParent[index] { return false }
            let reach = regions[index].reach.intersection(panel.bounds)
            var isNear = false
            changes.forEach(near: reach) { cover in
                isNear = reach.intersects(cover.hidden)
                return !isNear
            }
            return isNear
        }
    }

    private mutating func warnIfCovered(_ index: Int, by covers: CoverGrid) {
        let region = regions[index]
        notes[index].freePoint = nil
        guard !region.pass, !isParent[index], !region.bounds.intersection(region.clip).isEmpty else { return }
        var free = [region.reach.intersection(panel.bounds)]
        var above: [Int] = []
        let height = stackingHeight(index)
        covers.forEach(near: free[0]) { other, hidden in
            guard free.contains(where: { $0.intersects(hidden) }), (stackingHeight(other), other) > (height, index),
                isShown(other, whereverIs: index), mayCover(other, index)
            else { return true }
            above.append(other)
            free = free.flatMap { $0.subtracting(hidden) }
            return !free.isEmpty && free.count < Self.mostPieces
        }
        if let piece = free.first {
            if free.count < Self.mostPieces { notes[index].freePoint = Point(x: piece.minX, y: piece.minY) }
            return
        }
        let list = above.map { "\"\(regions[$0].name)\"" }.joined(separator: ", ")
        warn(
            .neverHit, "region \"\(region.name)\" can never be hit: \(list) above cover it",
            at: rules[index].shapeLocation)
    }

    /// Whether a region may take touches from another one, as far as the one knows who has defined that.
    private func mayCover(_ other: Int, _ index: Int) -> Bool {
        if rules[index].isOutsider { return !regions[other].isPrivate }
        return !(regions[index].isPrivate && regions[other].yields)
    }

    /// Whether each scene that has a region has another one, too.
    private func isShown(_ other: Int, whereverIs region: Int) -> Bool {
        isInScene.allSatisfy { !$0[region] || $0[other] }
    }

    /// The `z` of a region, or its parent's height if that is higher, as in the engine.
    private func stackingHeight(_ index: Int) -> Int {
        var height = regions[index].z
        var next = regions[index].parent
        while let parent = next {
            height = max(height, regions[parent].z)
            next = regions[parent].parent
        }
        return height
    }
}
