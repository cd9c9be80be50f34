// SPDX-License-Identifier: MIT

/// The regions that receive a contact.
package struct Route: Hashable, Sendable {
    /// The region that owns the contact; `nil` if none does.
    package var owner: RegionIndex?
    /// All receivers: the owner and its ancestors from the inside out, then regions with `pass`.
    package var regions: [RegionIndex] = []
}

/// Finds the regions at a point, at a cost that does not grow with the number of regions.
///
/// A grid covers the panel. Each cell lists the regions that overlap it, topmost first. A region is left out of a cell
/// if a region above it covers the whole cell. Regions with `pass` and private regions never count as covering, so the
/// map can also answer as if there were no private regions.
struct RegionMap: Hashable, Sendable {
    /// Stores an `Int32`, which is half the size of a `RegionIndex`, because there are several entries for each
    /// region.
    private struct Candidate: Hashable, Sendable {
        private let index: Int32
        let traits: Region.Traits

        init() { (index, traits) = (0, []) }

        init(_ region: RegionIndex, of regions: [Region]) {
            index = Int32(clamping: region.raw)
            traits = regions[region].traits
        }

        var region: RegionIndex { RegionIndex(raw: Int(index)) }
        var isPass: Bool { traits.contains(.passes) }
    }

    /// The maximum number of cells along one side. On a 15 inch panel, a cell of a 128 x 128 grid is about 3 mm wide.
    private static let mostCells = 128

    private let bounds: Rectangle
    /// Whether there are both private regions and regions that yield to them.
    private var sparesPrivate: Bool
    private var side: Int
    private var scaleX: Double
    private var scaleY: Double
    /// The index of each cell's first candidate, followed by the total number.
    private var starts: [Int]
    private var candidates: [Candidate]

    /// Creates the map.
    /// - Parameter bounds: the panel in millimetres.
    init(_ regions: [Region], bounds: Rectangle) {
        self.bounds = bounds
        sparesPrivate = Self.sparesPrivate(regions)
        var side = Self.side(for: regions.count)
        // Many large regions on top of each other do not need a fine grid and would fill each of its cells.
        let area = max(bounds.width * bounds.height, .leastNormalMagnitude)
        var cover = 0.0
        for region in regions {
            let reach = region.reach.intersection(bounds)
            if !reach.isEmpty { cover += reach.width * reach.height / area }
        }
        while side > 1, cover * Double(side * side) > 64 * Double(regions.count + side * side) { side /= 2 }
        self.side = side
        scaleX = bounds.width > 0 ? Double(side) / bounds.width : 0
        scaleY = bounds.height > 0 ? Double(side) / bounds.height : 0
        starts = []
        candidates = []
        fill(regions)
    }

    private static func sparesPrivate(_ regions: [Region]) -> Bool {
        regions.allTraits.isSuperset(of: [.isPrivate, .yields])
    }

    private static func side(for count: Int) -> Int {
        var side = 1
        while side < mostCells, side * side < count * 4 { side *= 2 }
        return side
    }

    /// The route of a contact that lands at `point`.
    ///
    /// The route does not cross the border of a private region: the ancestors stop there, and regions with `pass` are
    /// included only if they are in the owner's island, or outside all islands if the owner is not private.
    /// - Parameter omitted: regions with any of these traits are ignored.
    func route(_ point: Point, _ regions: [Region], without omitted: Region.Traits = []) -> Route {
        let owner = owner(of: point, regions, without: omitted)
        var route = Route(owner: owner)
        let isPrivate = owner.map { regions[$0].isPrivate } ?? false
        var island: RegionIndex?
        var next = owner
        while let region = next, regions[region].isPrivate == isPrivate {
            if regions[region].isEnabled { route.regions.append(region) }
            if isPrivate { island = region }
            next = regions[region].parent
        }
        let cell = cell(of: point)
        for i in starts[cell]..<starts[cell + 1] where candidates[i].isPass {
            let region = candidates[i].region
            guard candidates[i].traits.contains(.isPrivate) == isPrivate, regions[region].isDrawn(at: point),
                !route.regions.contains(region), !isPrivate || regions.island(of: region) == island
            else { continue }
            route.regions.append(region)
        }
        return route
    }

    /// Whether a private region owns a point.
    func isPrivate(_ point: Point, _ regions: [Region]) -> Bool {
        owner(of: point, regions, without: []).map { regions[$0].isPrivate } ?? false
    }

    private func owner(of point: Point, _ regions: [Region], without omitted: Region.Traits) -> RegionIndex? {
        if sparesPrivate, !omitted.contains(.isPrivate),
            let owner = topmost(at: point, regions, without: omitted.union(.yields)), regions[owner].isPrivate
        {
            return owner
        }
        return topmost(at: point, regions, without: omitted)
    }

    private func topmost(at point: Point, _ regions: [Region], without omitted: Region.Traits) -> RegionIndex? {
        let omitted = omitted.union(.passes)
        let cell = cell(of: point)
        for i in starts[cell]..<starts[cell + 1] where candidates[i].traits.isDisjoint(with: omitted) {
            let index = candidates[i].region
            if regions[index].isDrawn(at: point) {
                return nearestMargin(over: index, in: starts[cell]..<i, point, regions, without: omitted) ?? index
            }
        }
        return nearestMargin(over: nil, in: starts[cell]..<starts[cell + 1], point, regions, without: omitted)
    }

    /// The topmost region whose margin contains the point. If `drawn`, the topmost region drawn at the point, is given,
    /// only regions inside it are considered.
    private func nearestMargin(
        over drawn: RegionIndex?, in range: Range<Int>, _ point: Point, _ regions: [Region],
        without omitted: Region.Traits
    ) -> RegionIndex? {
        for i in range where candidates[i].traits.isDisjoint(with: omitted) {
            let index = candidates[i].region
            guard regions[index].margin > 0, regions[index].isInMargin(point) else { continue }
            guard let drawn else { return index }
            if regions.isAncestor(drawn, of: index) { return index }
        }
        return nil
    }

    private func cell(of point: Point) -> Int {
        place((point.y - bounds.minY) * scaleY) * side + place((point.x - bounds.minX) * scaleX)
    }

    /// Returns the column or row of a coordinate in units of cells. Coordinates outside the panel and NaN are clamped.
    private func place(_ coordinate: Double) -> Int {
        guard coordinate > 0 else { return 0 }
        return coordinate < Double(side) ? Int(coordinate) : side - 1
    }

    /// Fills the cells in two passes, the first of which only counts. A separate list for each cell would need more
    /// memory.
    private mutating func fill(_ regions: [Region]) {
        let order = RegionOrder.lowestFirst(regions)
        var counts = [Int](repeating: 0, count: side * side)
        forEachCandidate(order, regions) { cell, _ in counts[cell] += 1 }
        starts.reserveCapacity(counts.count + 1)
        var next = 0
        for cell in counts.indices {
            starts.append(next)
            next += counts[cell]
            counts[cell] = starts[cell]
        }
        starts.append(next)
        var filled = [Candidate](repeating: Candidate(), count: next)
        forEachCandidate(order, regions) { cell, index in
            filled[counts[cell]] = Candidate(index, of: regions)
            counts[cell] += 1
        }
        candidates = filled
    }

    /// Calls `body` with each region and each of its cells that no region above covers, topmost regions first.
    private func forEachCandidate(
        _ order: [RegionIndex], _ regions: [Region], _ body: (_ cell: Int, _ region: RegionIndex) -> Void
    ) {
        var isCovered = [Bool](repeating: false, count: side * side)
        for index in order.reversed() where regions[index].isEnabled {
            guard let (columns, rows) = cells(of: regions[index].reach) else { continue }
            let isPass = regions[index].pass
            let mayCover = !isPass && !regions[index].isPrivate && !(sparesPrivate && regions[index].yields)
            for y in rows {
                for x in columns where isPass || !isCovered[y * side + x] {
                    body(y * side + x, index)
                    if mayCover, regions[index].covers(rectangle(x, y)) { isCovered[y * side + x] = true }
                }
            }
        }
    }

    /// The cells that a region overlaps; `nil` if clipping leaves nothing of it, in which case its minimum may exceed
    /// its maximum.
    private func cells(of reach: Rectangle) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
        guard !reach.isEmpty else { return nil }
        return (
            place((reach.minX - bounds.minX) * scaleX)...place((reach.maxX - bounds.minX) * scaleX),
            place((reach.minY - bounds.minY) * scaleY)...place((reach.maxY - bounds.minY) * scaleY)
        )
    }

    private func rectangle(_ x: Int, _ y: Int) -> Rectangle {
        let width = bounds.width / Double(side)
        let height = bounds.height / Double(side)
        let minX = bounds.minX + Double(x) * width
        let minY = bounds.minY + Double(y) * height
        // Rounding may put a point at the edge of a cell into the next one, so the rectangle is slightly larger.
        return Rectangle(minX: minX, minY: minY, maxX: minX + width, maxY: minY + height).insetBy(-0.001)
            .intersection(bounds)
    }
}
