// SPDX-License-Identifier: MIT

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

        init(_ region: Int, of regions: [Region]) { self.init(region, regions[region].traits) }

        private init(_ index: Int, _ traits: Region.Traits) {
            self.index = Int32(clamping: index)
            self.traits = traits
        }

        var region: Int { Int(index) }
        var isPass: Bool { traits.contains(.passes) }

        func renumbered(_ region: Int) -> Self { Self(region, traits) }
    }

    /// The most cells along one side. On a 15 inch panel, a cell of 128 x 128 is about 3 mm wide.
    private static let mostCells = 128

    private var bounds: Rectangle
    /// There are private regions, and others that yield to them.
    private var sparesPrivate: Bool
    private var side: Int
    /// What the number of regions alone would make it.
    private var sideByCount: Int
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
        sideByCount = side
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

    /// Takes another list of regions, at a cost that follows the change if it is small.
    /// - Parameter kept: for each old region, the new one that is equal to it but for `isEnabled`, which is the same
    ///   outside of the `range`.
    mutating func replace(_ old: [Region], by new: [Region], _ kept: Counterparts) {
        var changed = kept.otherMissing.map { new[$0].reach }
        for i in kept.range {
            let isAsBefore = kept[i].map { old[i].isEnabled == new[$0].isEnabled } ?? false
            if !isAsBefore { changed.append(old[i].reach) }
        }
        guard kept.isInOrder, Self.side(for: new.count) == sideByCount, changed.count * 8 <= new.count else {
            self = RegionMap(new, bounds: bounds)
            return
        }
        sparesPrivate = Self.sparesPrivate(new)
        refill(changed, new, kept)
    }

    /// Makes the lists of the cells anew that `changed` touches. The others have the same regions as before.
    private mutating func refill(_ changed: [Rectangle], _ regions: [Region], _ kept: Counterparts) {
        var isStale = [Bool](repeating: false, count: side * side)
        var around: Rectangle?
        for reach in changed {
            guard let (columns, rows) = cells(of: reach) else { continue }
            for y in rows { for x in columns { isStale[y * side + x] = true } }
            let area = area(columns, rows)
            around = around?.union(area) ?? area
        }
        guard let around else { return renumber(kept) }
        let near = regions.indices(reachingInto: [around]).filter { index in
            guard let (columns, rows) = cells(of: regions[index].reach) else { return false }
            return rows.contains { y in columns.contains { x in isStale[y * side + x] } }
        }
        var fresh: [Int: [Candidate]] = [:]
        forEachCandidate(RegionOrder.lowestFirst(near, regions), regions) { cell, index in
            guard isStale[cell] else { return }
            fresh[cell, default: []].append(Candidate(index, of: regions))
        }
        renumber(kept)
        let (oldStarts, oldCandidates) = (starts, candidates)
        candidates = []
        candidates.reserveCapacity(oldCandidates.count + near.count)
        // What lies between two stale cells is copied at once.
        var copied = 0
        for cell in isStale.indices {
            starts[cell] = candidates.count + oldStarts[cell] - copied
            guard isStale[cell] else { continue }
            candidates += oldCandidates[copied..<oldStarts[cell]]
            candidates += fresh[cell] ?? []
            copied = oldStarts[cell + 1]
        }
        candidates += oldCandidates[copied...]
        starts[isStale.count] = candidates.count
    }

    /// Gives candidates the numbers that their regions have now. Those without one are in cells that are made anew.
    private mutating func renumber(_ kept: Counterparts) {
        let isSame = kept.shift == 0 && kept.range.allSatisfy { kept[$0] == nil || kept[$0] == $0 }
        if isSame { return }
        for i in candidates.indices {
            guard let region = kept[candidates[i].region] else { continue }
            candidates[i] = candidates[i].renumbered(region)
        }
    }

    /// The regions that receive a contact which lands at `point`: the owner, its ancestors from the inside out, then
    /// those that pass. `owner` is `nil` where no region owns the point.
    ///
    /// None of them lies beyond the border of a private region: the ancestors end there, and of the regions that pass
    /// only those count that are in the owner's island, or in none like the owner.
    /// - Parameter omitted: as if there were no regions with one of these traits.
    func route(
        _ point: Point, _ regions: [Region], without omitted: Region.Traits = [], into route: inout [Int]
    ) -> Int? {
        route.removeAll(keepingCapacity: true)
        let owner = owner(of: point, regions, without: omitted)
        let isPrivate = owner.map { regions[$0].isPrivate } ?? false
        var island: Int?
        var next = owner
        while let region = next, regions[region].isPrivate == isPrivate {
            if regions[region].isEnabled { route.append(region) }
            if isPrivate { island = region }
            next = regions[region].parent
        }
        let cell = cell(of: point)
        for i in starts[cell]..<starts[cell + 1] where candidates[i].isPass {
            let region = candidates[i].region
            guard candidates[i].traits.contains(.isPrivate) == isPrivate, regions[region].isDrawn(at: point),
                !route.contains(region), !isPrivate || regions.island(of: region) == island
            else { continue }
            route.append(region)
        }
        return owner
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

    /// Where all is that lies in some of these cells. What lies outside the panel is in the cells at its edge.
    private func area(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> Rectangle {
        let first = rectangle(columns.lowerBound, rows.lowerBound)
        let last = rectangle(columns.upperBound, rows.upperBound)
        return Rectangle(
            minX: columns.lowerBound == 0 ? -.infinity : first.minX,
            minY: rows.lowerBound == 0 ? -.infinity : first.minY,
            maxX: columns.upperBound == side - 1 ? .infinity : last.maxX,
            maxY: rows.upperBound == side - 1 ? .infinity : last.maxY)
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
