// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// Where contacts have landed on a panel, but for those in private regions: counts by cell, for connections that have
/// asked. Each sees what was counted since it asked first.
package final class TouchMap {
    private struct Grid: Equatable {
        /// Millimetres.
        private static let smallestCell = 5.0
        /// Along one side; on a panel of more than a metre the cells are larger.
        private static let mostCells = 200

        let cell: Double
        let columns: Int
        let rows: Int

        init(_ bounds: Rectangle) {
            let longest = max(bounds.width, bounds.height)
            let cell = max(Self.smallestCell, longest / Double(Self.mostCells))
            func cells(_ length: Double) -> Int {
                // Also for a length that is no number.
                length > 0 ? max(1, min(Self.mostCells, Int((length / cell).rounded(.up)))) : 1
            }
            self.cell = cell
            columns = cells(bounds.width)
            rows = cells(bounds.height)
        }
    }

    private let grid: Grid
    /// By row and column. They wrap, as does the difference to what a connection has begun with.
    private var counts: [UInt32]
    /// By connection: the counts when it first asked.
    private var starts: [Int64: [UInt32]] = [:]

    /// - Parameters:
    ///   - bounds: the panel in millimetres.
    ///   - count: where each place begins to count.
    package init(_ bounds: Rectangle, startingAt count: UInt32 = 0) {
        grid = Grid(bounds)
        counts = [UInt32](repeating: count, count: grid.columns * grid.rows)
    }

    /// Whether it also fits another panel's size.
    package func fits(_ bounds: Rectangle) -> Bool { Grid(bounds) == grid }

    package var isUnused: Bool { starts.isEmpty }

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
