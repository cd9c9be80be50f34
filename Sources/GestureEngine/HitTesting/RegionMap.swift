// SPDX-License-Identifier: MIT

/// Finds the regions of a point at a cost that does not grow with the number of regions.
///
/// A grid covers the panel. Each cell lists the regions that overlap it, topmost first. Regions that are completely
/// covered in a cell by one that does not pass are left out of it.
struct RegionMap: Hashable, Sendable {
    /// Half as wide as with an `Int`: there are several for each region.
    private struct Candidate: Hashable, Sendable {
        private let index: Int32
        let isPass: Bool

        init(region: Int, isPass: Bool) {
            index = Int32(clamping: region)
            self.isPass = isPass
        }

        var region: Int { Int(index) }
    }

    /// The most cells along one side. On a 15 inch panel, a cell of 128 x 128 is about 3 mm wide.
    private static let mostCells = 128

    private var bounds: Rectangle
    private var side: Int
    private var scaleX: Double
    private var scaleY: Double
    /// The index at which each cell's candidates begin; one more than there are cells.
    private var starts: [Int]
    private var candidates: [Candidate]

    /// - Parameter bounds: the panel, in millimetres.
    init(_ regions: [Region], bounds: Rectangle) {
        self.bounds = bounds
        var side = 1
        while side < Self.mostCells, side * side < regions.count * 4 { side *= 2 }
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

    /// The regions that receive a contact which lands at `point`: the owner, its ancestors from the inside out, then
    /// those that pass. `owner` is `nil` where no region owns the point.
    func route(_ point: Point, _ regions: [Region], into route: inout [Int]) -> Int? {
        route.removeAll(keepingCapacity: true)
        let owner = owner(of: point, regions)
        var next = owner
        while let region = next {
            if regions[region].isEnabled { route.append(region) }
            next = regions[region].parent
        }
        let cell = cell(of: point)
        for i in starts[cell]..<starts[cell + 1] where candidates[i].isPass {
            let region = candidates[i].region
            if regions[region].isDrawn(at: point), !route.contains(region) { route.append(region) }
        }
        return owner
    }

    private func owner(of point: Point, _ regions: [Region]) -> Int? {
        let cell = cell(of: point)
        for i in starts[cell]..<starts[cell + 1] where !candidates[i].isPass {
            let index = candidates[i].region
            if regions[index].isDrawn(at: point) {
                return nearestMargin(over: index, in: starts[cell]..<i, point, regions) ?? index
            }
        }
        return nearestMargin(over: nil, in: starts[cell]..<starts[cell + 1], point, regions)
    }

    /// The topmost region whose margin holds the point: of those inside `drawn`, which is the topmost that is drawn there.
    private func nearestMargin(over drawn: Int?, in range: Range<Int>, _ point: Point, _ regions: [Region]) -> Int? {
        for i in range where !candidates[i].isPass {
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
        var filled = [Candidate](repeating: Candidate(region: 0, isPass: false), count: next)
        forEachCandidate(order, regions) { cell, index in
            filled[counts[cell]] = Candidate(region: index, isPass: regions[index].pass)
            counts[cell] += 1
        }
        candidates = filled
    }

    /// Calls `body` with each region and each of its cells, but for those in which a region above covers it. The topmost
    /// region of a cell comes first.
    private func forEachCandidate(_ order: [Int], _ regions: [Region], _ body: (_ cell: Int, _ region: Int) -> Void) {
        var isCovered = [Bool](repeating: false, count: side * side)
        for index in order.reversed() where regions[index].isEnabled {
            let reach = regions[index].reach
            // Clipped to nothing: its minimum may be larger than its maximum.
            guard !reach.isEmpty else { continue }
            let columns = place((reach.minX - bounds.minX) * scaleX)...place((reach.maxX - bounds.minX) * scaleX)
            let isPass = regions[index].pass
            for y in place((reach.minY - bounds.minY) * scaleY)...place((reach.maxY - bounds.minY) * scaleY) {
                for x in columns where isPass || !isCovered[y * side + x] {
                    body(y * side + x, index)
                    if !isPass, regions[index].covers(rectangle(x, y)) { isCovered[y * side + x] = true }
                }
            }
        }
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

extension Rectangle {
    fileprivate func covers(_ other: Rectangle) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }
}

extension Region {
    /// Whether the clipped shape contains the point.
    package func isDrawn(at point: Point) -> Bool {
        clip.contains(point) && shape.contains(point)
    }

    func isInMargin(_ point: Point) -> Bool {
        shape.distance(to: point) <= margin
    }

    /// The box outside which this region cannot be hit.
    package var reach: Rectangle {
        margin > 0 ? shape.boundingBox.insetBy(-margin) : shape.boundingBox.intersection(clip)
    }

    /// Whether the drawn shape is sure to cover all of `cell`.
    func covers(_ cell: Rectangle) -> Bool {
        guard clip.covers(cell) else { return false }
        switch shape {
        case .rectangle(let rectangle): return rectangle.covers(cell)
        case .circle(let center, let radius):
            // To the farthest corner.
            let (dx, dy) = (
                max(center.x - cell.minX, cell.maxX - center.x), max(center.y - cell.minY, cell.maxY - center.y)
            )
            return dx * dx + dy * dy < radius * radius
        case .polygon: return false
        }
    }
}
