// SPDX-License-Identifier: MIT
import GestureEngine

/// Where the rectangles are that may cover other regions.
struct CoverGrid {
    /// Cells along one side.
    private static let side = 32

    private let bounds: Rectangle
    /// By region: what it hides; `nil`: nothing.
    private let hidden: [Rectangle?]
    /// All that hide something, in the order of the list.
    private let all: [Int]
    /// Those that hide a part of more than a few cells.
    private var large: [Int] = []
    /// By cell: the others that hide a part of it.
    private var cells = [[Int]](repeating: [], count: side * side)
    private static let fewCells = 16
    private static let fewLarge = 64
    /// So many are looked through without the cells.
    private static let few = 8

    init(_ hidden: [Rectangle?], panel: Rectangle) {
        bounds = panel
        self.hidden = hidden
        all = hidden.indices.filter { hidden[$0] != nil }
        for index in all {
            guard let (columns, rows) = hidden[index].map({ places(of: $0) }) else { continue }
            if columns.count * rows.count > Self.fewCells {
                large.append(index)
            } else {
                for row in rows { for column in columns { cells[row * Self.side + column].append(index) } }
            }
        }
    }

    /// Whether something hides what is at a point.
    func covers(_ point: Point) -> Bool {
        guard !all.isEmpty else { return false }
        let column = place(point.x - bounds.minX, of: bounds.width)
        let row = place(point.y - bounds.minY, of: bounds.height)
        func isHidden(by index: Int) -> Bool { hidden[index]?.contains(point) == true }
        return large.contains(where: isHidden) || cells[row * Self.side + column].contains(where: isHidden)
    }

    /// Calls `body` with the covers around a rectangle, each once and in the order of the list, until it returns `false`.
    func forEach(near rectangle: Rectangle, _ body: (Int, Rectangle) -> Bool) {
        guard !rectangle.isEmpty, !all.isEmpty else { return }
        let (columns, rows) = places(of: rectangle)
        var found = all
        if all.count > Self.few, columns.count * rows.count <= Self.fewCells, large.count <= Self.fewLarge {
            found = large
            for row in rows { for column in columns { found += cells[row * Self.side + column] } }
            found.sort()
        }
        var last = -1
        for index in found where index != last {
            last = index
            if let hidden = hidden[index], !body(index, hidden) { return }
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
