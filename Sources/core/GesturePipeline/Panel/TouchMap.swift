// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// Counts the landings on a panel by cell, except those in private regions, for connections that request it. Each
/// connection sees the landings since its first request.
package final class TouchMap {
    private struct Grid: Equatable {
        /// The smallest width of a cell in millimetres.
        private static let smallestCell = 5.0
        /// The maximum number of cells along one side. On a panel longer than a metre the cells are larger.
        private static let mostCells = 200

        let cell: Double
        let columns: Int
        let rows: Int

        init(_ bounds: Rectangle) {
            let longest = max(bounds.width, bounds.height)
            let cell = max(Self.smallestCell, longest / Double(Self.mostCells))
            func cells(_ length: Double) -> Int {
                // The comparison also excludes NaN.
                length > 0 ? max(1, min(Self.mostCells, Int((length / cell).rounded(.up)))) : 1
            }
            self.cell = cell
            columns = cells(bounds.width)
            rows = cells(bounds.height)
        }
    }

    private let grid: Grid
    /// Counts by row and column. They wrap around, and so do the differences from the initial counts.
    private var counts: [UInt32]
    /// The counts at the first request of each connection.
    private var starts: [Int64: [UInt32]] = [:]

    /// Creates a map without connections.
    /// - Parameters:
    ///   - bounds: the panel in millimetres.
    ///   - count: the initial count of each cell.
    package init(_ bounds: Rectangle, startingAt count: UInt32 = 0) {
        grid = Grid(bounds)
        counts = [UInt32](repeating: count, count: grid.columns * grid.rows)
    }

    /// Whether the map also fits a panel of another size.
    package func fits(_ bounds: Rectangle) -> Bool { Grid(bounds) == grid }

    /// Whether no connection uses the map.
    package var isUnused: Bool { starts.isEmpty }

    /// Removes the initial counts of a connection.
    package func forget(_ connection: Int64) { starts[connection] = nil }

    func count(_ position: Point) {
        let (x, y) = (position.x / grid.cell, position.y / grid.cell)
        guard x >= 0, y >= 0, x <= Double(grid.columns), y <= Double(grid.rows) else { return }
        let place = min(Int(y), grid.rows - 1) * grid.columns + min(Int(x), grid.columns - 1)
        counts[place] &+= 1
    }

    /// Writes `"cell_mm":5.0,"columns":69,"rows":39,"counts":[…]`.
    package func write(for connection: Int64, into json: inout JSONWriter) {
        let start = starts[connection] ?? counts
        starts[connection] = start
        json.member("cell_mm", tenths: grid.cell)
        json.member("columns", grid.columns)
        json.member("rows", grid.rows)
        json.array("counts") { json in
            for place in counts.indices { json.value(Int64(counts[place] &- start[place])) }
        }
    }
}
