// SPDX-License-Identifier: MIT

/// Which region lies over which.
package enum RegionOrder {
    /// All regions from the lowest to the topmost: by z, then by place in the list; a child is
    /// never below its parent.
    package static func lowestFirst(_ regions: [Region]) -> [Int] {
        var height: [Int] = []
        for (i, region) in regions.enumerated() {
            if let parent = region.parent, parent < i {
                height.append(max(region.z, height[parent]))
            } else {
                height.append(region.z)
            }
        }
        // Most configurations have no z.
        if zip(height, height.dropFirst()).allSatisfy({ $0 <= $1 }) { return Array(regions.indices) }
        return regions.indices.sorted { (height[$0], $0) < (height[$1], $1) }
    }
}

extension [Region] {
    /// The regions that reach into one of these boxes.
    package func indices(reachingInto boxes: [Rectangle]) -> [Int] {
        var result: [Int] = []
        for index in indices {
            let reach = self[index].reach
            for box in boxes where box.intersects(reach) {
                result.append(index)
                break
            }
        }
        return result
    }

    /// The regions with a certain trait.
    package func indices(with trait: Region.Traits) -> [Int] {
        var result: [Int] = []
        for index in indices where self[index].traits.contains(trait) { result.append(index) }
        return result
    }

    /// What some region has.
    package var allTraits: Region.Traits {
        var result: Region.Traits = []
        for index in indices { result.formUnion(self[index].traits) }
        return result
    }

    /// The outermost private region around a region, or itself; `nil` if it is not private. No contact is told to regions
    /// of two islands, or to regions in and outside of one.
    package func island(of region: Int) -> Int? {
        var island: Int?
        var next: Int? = region
        while let place = next, self[place].isPrivate { (island, next) = (place, self[place].parent) }
        return island
    }

    /// Whether `region` is a parent of `other`, or one above that.
    func isAncestor(_ region: Int, of other: Int) -> Bool {
        var next = self[other].parent
        while let above = next {
            if above == region { return true }
            next = self[above].parent
        }
        return false
    }
}
