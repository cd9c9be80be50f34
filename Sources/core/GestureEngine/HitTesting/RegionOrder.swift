// SPDX-License-Identifier: MIT

/// The stacking order of regions.
package enum RegionOrder {
    /// All regions from the lowest to the topmost: by `z`, then by position in the list. A child is never below its
    /// parent.
    package static func lowestFirst(_ regions: [Region]) -> [RegionIndex] {
        var height: [Int] = []
        for (i, region) in regions.enumerated() {
            if let parent = region.parent, parent.raw < i {
                height.append(max(region.z, height[parent.raw]))
            } else {
                height.append(region.z)
            }
        }
        // Most configurations set no `z`.
        if zip(height, height.dropFirst()).allSatisfy({ $0 <= $1 }) { return Array(regions.regionIndices) }
        return regions.regionIndices.sorted { (height[$0.raw], $0) < (height[$1.raw], $1) }
    }
}

extension [Region] {
    /// The regions that overlap one of these boxes.
    package func indices(reachingInto boxes: [Rectangle]) -> [RegionIndex] {
        var result: [RegionIndex] = []
        for index in regionIndices {
            let reach = self[index].reach
            for box in boxes where box.intersects(reach) {
                result.append(index)
                break
            }
        }
        return result
    }

    /// The regions with a certain trait.
    package func indices(with trait: Region.Traits) -> [RegionIndex] {
        var result: [RegionIndex] = []
        for index in regionIndices where self[index].traits.contains(trait) { result.append(index) }
        return result
    }

    /// The union of the traits of all regions.
    package var allTraits: Region.Traits {
        var result: Region.Traits = []
        for index in indices { result.formUnion(self[index].traits) }
        return result
    }

    /// The outermost private region that contains a region, or the region itself; `nil` if it is not private. No
    /// contact reaches regions of two islands, or regions both inside and outside an island.
    package func island(of region: RegionIndex) -> RegionIndex? {
        var island: RegionIndex?
        var next: RegionIndex? = region
        while let place = next, self[place].isPrivate { (island, next) = (place, self[place].parent) }
        return island
    }

    /// Whether `region` is an ancestor of `other`.
    package func isAncestor(_ region: RegionIndex, of other: RegionIndex) -> Bool {
        var next = self[other].parent
        while let above = next {
            if above == region { return true }
            next = self[above].parent
        }
        return false
    }
}
