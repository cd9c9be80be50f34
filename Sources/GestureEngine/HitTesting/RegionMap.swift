// SPDX-License-Identifier: MIT

/// Where a contact goes.
package struct Route: Hashable, Sendable {
    /// The region that owns it; `nil`: none does.
    package var owner: Int?
    /// The regions that are told of it: the owner and its ancestors from the inside out, then those that pass.
    package var regions: [Int] = []
}

/// Finds the regions of a point at a cost that does not grow with the number of regions.
///
/// A grid covers the panel. Each cell lists the regions that overlap it, topmost first. Regions that are completely
/// covered in a cell by one that does not pass are left out of it; but a private region covers nothing, so that the map
/// can also say what there is without private regions.
struct RegionMap: Hashable, Sendable {
    /// Half as wide as with an `Int`: there are several for each region.
    private struct Candidate: Hashable, Sendable {
        private let index: Int32
        let traits: Region.Traits

        init() { (index, traits) = (0, []) }

        init(_ region: Int, of regions: [Region]) {
            index = Int32(clamping: region)
            traits = regions[region].traits
        }

        var region: Int { Int(index) }
        var isPass: Bool { traits.contains(.passes) }
    }

    /// The most cells along one side. On a 15 inch panel, a cell of 128 x 128 is about 3 mm wide.
    private static let mostCells = 128

    private let bounds: Rectangle
    /// There are private regions, and others that yield to them.
    private var sparesPrivate: Bool
    private var side: Int
    private var scaleX: Double
    private var scaleY: Double
    /// The index at which each cell's candidates begin; one more than there are cells.
    private var starts: [Int]
    private var candidates: [Candidate]

    /// - Parameters:
    ///   - bounds: the panel, in millimetres.
    init(_ regions: [Region], bounds: Rectangle) {
        self.bounds = bounds
        sparesPrivate = Self.sparesPrivate(regions)
        var side = Self.side(for: regions.count)
        // Many large regions on top of each other need no fine grid, and would fill each of its cells.
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

    /// The way of a contact which lands at `point`.
    ///
    /// None of them lies beyond the border of a private region: the ancestors end there, and of the regions that pass
    /// only those count that are in the owner's island, or in none like the owner.
    /// - Parameter omitted: as if there were no regions with one of these traits.
    func route(_ point: Point, _ regions: [Region], without omitted: Region.Traits = []) -> Route {
        let owner = owner(of: point, regions, without: omitted)
        var route = Route(owner: owner)
        let isPrivate = owner.map { regions[$0].isPrivate } ?? false
        var island: Int?
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

    private func owner(of point: Point, _ regions: [Region], without omitted: Region.Traits) -> Int? {
        if sparesPrivate, !omitted.contains(.isPrivate),
            let owner = topmost(at: point, regions, without: omitted.union(.yields)), regions[owner].isPrivate
        {
            return owner
        }
        return topmost(at: point, regions, without: omitted)
    }

    private func topmost(at point: Point, _ regions: [Region], without omitted: Region.Traits) -> Int? {
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

    /// The topmost region whose margin holds the point: of those inside `drawn`, which is the topmost that is drawn there.
    private func nearestMargin(
        over drawn: Int?, in range: Range<Int>, _ point: Point, _ regions: [Region], without omitted: Region.Traits
    ) -> Int? {
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

    /// The cell of a coordinate in units of cells. Coordinates outside and NaN are clamped.
    private func place(_ coordinate: Double) -> Int {
        guard coordinate > 0 else { return 0 }
        return coordinate < Double(side) ? Int(coordinate) : side - 1
    }

    /// Counts what each cell lists, then writes it: without a list for each cell, whose memory would cost more than the
    /// work.
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

    /// Calls `body` with each region and each of its cells, but for those in which a region above covers it. The topmost
    /// region of a cell comes first.
    private func forEachCandidate(_ order: [Int], _ regions: [Region], _ body: (_ cell: Int, _ region: Int) -> Void) {
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

    /// `nil` for what is clipped to nothing: its minimum may be larger than its maximum.
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
        // Rounding may put a point at the edge of a cell into the next one: cover a little more.
        return Rectangle(minX: minX, minY: minY, maxX: minX + width, maxY: minY + height).insetBy(-0.001)
            .intersection(bounds)
    }
}
