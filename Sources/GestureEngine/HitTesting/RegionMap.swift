// SPDX-License-Identifier: MIT

/// Finds the regions of a point at a cost that does not grow with the number of regions.
///
/// A grid lies over the panel; every cell lists the regions that reach into it, topmost first.
/// What lies wholly under an opaque region is left out of a cell.
struct RegionMap: Hashable, Sendable {
    private struct Candidate: Hashable, Sendable {
        var region: Int
        var isPass: Bool
    }

    /// Cells along one side, at most: 128 x 128 cells are 3 mm on a 15 inch panel.
    private static let mostCells = 128

    private var bounds: Rectangle
    private var side: Int
    private var scaleX: Double
    private var scaleY: Double
    /// Where each cell's candidates begin; one more than there are cells.
    private var starts: [Int]
    private var candidates: [Candidate]

    /// - Parameter bounds: the panel, in millimetres.
    init(_ regions: [Region], bounds: Rectangle) {
        self.bounds = bounds
        var side = 1
        while side < Self.mostCells, side * side < regions.count * 4 { side *= 2 }
        // Many large regions one over the other need no fine grid, and would fill each of its cells.
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

    /// The regions that watch a contact which lands at `point`: the owner, its ancestors from
    /// the inside out, then those that pass. `owner` is `nil` where no region owns the point.
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
        var nearMiss: Int?
        for i in starts[cell]..<starts[cell + 1] where !candidates[i].isPass {
            let index = candidates[i].region
            if regions[index].isDrawn(at: point) { return index }
            if nearMiss == nil, regions[index].margin > 0, regions[index].isInMargin(point) {
                nearMiss = index
            }
        }
        return nearMiss
    }

    private func cell(of point: Point) -> Int {
        place((point.y - bounds.minY) * scaleY) * side + place((point.x - bounds.minX) * scaleX)
    }

    /// The cell of a coordinate in units of cells; also for what is outside, or no number.
    private func place(_ coordinate: Double) -> Int {
        guard coordinate > 0 else { return 0 }
        return coordinate < Double(side) ? Int(coordinate) : side - 1
    }

    private mutating func fill(_ regions: [Region]) {
        var cells = [[Candidate]](repeating: [], count: side * side)
        for index in RegionOrder.lowestFirst(regions) where regions[index].isEnabled {
            let region = regions[index]
            let reach = region.reach
            // Clipped to nothing: its lower side may lie beyond its upper one.
            guard !reach.isEmpty else { continue }
            for y in place((reach.minY - bounds.minY) * scaleY)...place((reach.maxY - bounds.minY) * scaleY) {
                for x in place((reach.minX - bounds.minX) * scaleX)...place((reach.maxX - bounds.minX) * scaleX) {
                    let cell = y * side + x
                    if !region.pass, region.covers(rectangle(x, y)) {
                        cells[cell].removeAll { !$0.isPass }
                    }
                    cells[cell].append(Candidate(region: index, isPass: region.pass))
                }
            }
        }
        for cell in cells {
            starts.append(candidates.count)
            candidates.append(contentsOf: cell.reversed())
        }
        starts.append(candidates.count)
    }

    private func rectangle(_ x: Int, _ y: Int) -> Rectangle {
        let width = bounds.width / Double(side)
        let height = bounds.height / Double(side)
        let minX = bounds.minX + Double(x) * width
        let minY = bounds.minY + Double(y) * height
        // A point at a cell's rim may be told to the neighbour by rounding: cover a little more.
        return Rectangle(minX: minX, minY: minY, maxX: minX + width, maxY: minY + height).insetBy(-0.001)
            .intersection(bounds)
    }
}

extension Region {
    /// Whether the clipped shape holds the point.
    func isDrawn(at point: Point) -> Bool {
        clip.contains(point) && shape.contains(point)
    }

    func isInMargin(_ point: Point) -> Bool {
        shape.distance(to: point) <= margin
    }

    /// Everything that could hit this region.
    var reach: Rectangle {
        margin > 0 ? shape.boundingBox.insetBy(-margin) : shape.boundingBox.intersection(clip)
    }

    /// The drawn shape leaves no point of `cell` free.
    func covers(_ cell: Rectangle) -> Bool {
        guard case .rectangle(let rectangle) = shape else { return false }
        let drawn = rectangle.intersection(clip)
        return drawn.minX <= cell.minX && drawn.minY <= cell.minY && drawn.maxX >= cell.maxX
            && drawn.maxY >= cell.maxY
    }
}
