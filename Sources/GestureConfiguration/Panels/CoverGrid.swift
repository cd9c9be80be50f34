// SPDX-License-Identifier: MIT
import GestureEngine

/// Where the rectangles are that may cover other regions.
struct CoverGrid {
    /// Cells along one side.
    private static let side = 32

    /// A region, and what it hides.
    typealias Cover = (region: Int, hidden: Rectangle)

    private let bounds: Rectangle
    private let covers: [Cover]
    /// Places of those that hide a part of more than a few cells.
    private var large: [Int] = []
    /// By cell: places of the others that hide a part of it.
    private var cells: [[Int]] = []
    private static let fewCells = 16
    private static let fewLarge = 64
    /// So many are looked through without the cells.
    private static let few = 8

    init(_ covers: [Cover], panel: Rectangle) {
        bounds = panel
        self.covers = covers
        guard covers.count > Self.few else { return }
        cells = [[Int]](repeating: [], count: Self.side * Self.side)
        for index in covers.indices {
            let (columns, rows) = places(of: covers[index].hidden)
            if columns.count * rows.count > Self.fewCells {
                large.append(index)
            } else {
                for row in rows { for column in columns { cells[row * Self.side + column].append(index) } }
            }
        }
    }

    /// Whether something hides what is at a point.
    func covers(_ point: Point) -> Bool {
        guard !cells.isEmpty else {
            for cover in covers where cover.hidden.contains(point) { return true }
            return false
        }
        func isHidden(by index: Int) -> Bool { covers[index].hidden.contains(point) }
        let column = place(point.x - bounds.minX, of: bounds.width)
        let row = place(point.y - bounds.minY, of: bounds.height)
        return large.contains(where: isHidden) || cells[row * Self.side + column].contains(where: isHidden)
    }

    /// Calls `body` with the covers around a rectangle, each once and in the order of the list, until it returns `false`.
    func forEach(near rectangle: Rectangle, _ body: (Cover) -> Bool) {
        guard !rectangle.isEmpty else { return }
        let (columns, rows) = places(of: rectangle)
        guard !cells.isEmpty, columns.count * rows.count <= Self.fewCells, large.count <= Self.fewLarge else {
            for cover in covers where !body(cover) { return }
            return
        }
        var found = large
        for row in rows { for column in columns { found += cells[row * Self.side + column] } }
        // A cell alone is in order.
        if !large.isEmpty || columns.count * rows.count > 1 { found.sort() }
        var last = -1
        for index in found where index != last {
            last = index
            if !body(covers[index]) { return }
        }
    }

    private func places(of rectangle: Rectangle) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        (
            places(rectangle.minX - bounds.minX, rectangle.maxX - bounds.minX, of: bounds.width),
            places(rectangle.minY - bounds.minY, rectangle.maxY - bounds.minY, of: bounds.height)
        )
    }

    private func places(_ first: Double, _ last: Double, of length: Double) -> ClosedRange<Int> {
        let start = place(first, of: length)
        return start...max(start, place(last, of: length))
    }

    private func place(_ coordinate: Double, of length: Double) -> Int {
        guard length > 0, coordinate > 0 else { return 0 }
        return coordinate < length ? Int(coordinate / length * Double(Self.side)) : Self.side - 1
    }
}

extension Region {
    /// The part of the panel where this region takes every touch from the regions below it; `nil`: none.
    var hidden: Rectangle? {
        guard case .rectangle(let rectangle) = shape, !pass else { return nil }
        let hidden = rectangle.intersection(clip)
        return hidden.isEmpty ? nil : hidden
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
