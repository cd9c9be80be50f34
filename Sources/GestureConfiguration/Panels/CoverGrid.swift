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

    init(_ hidden: [Rectangle?], panel: Rectangle) {
        bounds = panel
        self.hidden = hidden
        all = hidden.indices.filter { hidden[$0] != nil }
        for index in all {
            let touched = hidden[index].map { cells(of: $0) } ?? []
            if touched.count > Self.fewCells { large.append(index) }
            for cell in touched where touched.count <= Self.fewCells { cells[cell].append(index) }
        }
    }

    /// Calls `body` with the covers around a rectangle, each once and in the order of the list, until it returns `false`.
    func forEach(near rectangle: Rectangle, _ body: (Int, Rectangle) -> Bool) {
        guard !rectangle.isEmpty else { return }
        let touched = cells(of: rectangle)
        let isWide = touched.count > Self.fewCells || large.count > Self.fewLarge
        let found = isWide ? all : Set(touched.flatMap { cells[$0] } + large).sorted()
        for index in found {
            if let hidden = hidden[index], !body(index, hidden) { return }
        }
    }

    private func cells(of rectangle: Rectangle) -> [Int] {
        let columns = places(rectangle.minX - bounds.minX, rectangle.maxX - bounds.minX, of: bounds.width)
        let rows = places(rectangle.minY - bounds.minY, rectangle.maxY - bounds.minY, of: bounds.height)
        return rows.flatMap { row in columns.map { row * Self.side + $0 } }
    }

    private func places(_ first: Double, _ last: Double, of length: Double) -> ClosedRange<Int> {
        func place(_ coordinate: Double) -> Int {
            guard length > 0, coordinate > 0 else { return 0 }
            return coordinate < length ? Int(coordinate / length * Double(Self.side)) : Self.side - 1
        }
        let start = place(first)
        return start...max(start, place(last))
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
