// SPDX-License-Identifier: MIT

/// Everything that was counted in one quarter of an hour. It has no finer times, and no finer places than cells.
package struct QuarterTally: Hashable, Sendable {
    /// A session: a visitor, or several without a pause between them.
    package struct Session: Hashable, Sendable {
        package var quarter: LocalQuarter
        package var seconds: Int
        package var touches: Int
    }

    package struct GestureKey: Hashable, Sendable {
        package var region: String
        package var gesture: String
    }

    package struct FailureKey: Hashable, Sendable {
        package var region: String
        package var gesture: String
        package var code: String
    }

    /// The touches of a region.
    package struct Use: Hashable, Sendable {
        package var touches = 0
        /// The touches that were meant for a gesture of the region and did nothing.
        package var failed = 0
        /// The number of times that somebody tried twice in a row without success.
        package var twice = 0
        /// The touches of a region that stands for the empty screen.
        package var nothing = 0
    }

    /// The touches that a map has. The numbers are those in the database.
    package enum MapKind: Int, Hashable, Sendable, CaseIterable {
        /// All of them.
        case all = 0
        /// The touches where nothing is.
        case nothing = 1
        /// Not touches but quarters of an hour in which all touches were at this one place.
        case alone = 2
    }

    /// A map of places: the panel, the scene, and the number of its cells.
    package struct MapKey: Hashable, Sendable {
        package var device: String
        package var scene: String
        package var kind: MapKind
        package var grid: CellGrid
    }

    /// A limit of the configuration that touches have missed.
    package struct LimitKey: Hashable, Sendable {
        package var region: String
        package var gesture: String
        package var code: String
        package var key: String
        package var unit: String
        /// The limit in hundredths of its unit.
        package var limit: Int
        /// Whether the values are above the limit.
        package var isMost: Bool
    }

    /// The steps beyond a limit.
    package struct Misses: Hashable, Sendable {
        /// Touches that did nothing else and came nearest to this limit.
        package var meant = SparseCounts()
        /// Touches that were something else: a higher limit would admit them wrongly.
        package var other = SparseCounts()

        package mutating func add(_ more: Misses) {
            meant.add(more.meant)
            other.add(more.other)
        }
    }

    /// The daemon's counters of a panel, and how often and how steadily it reports fingers.
    package struct PanelUse: Hashable, Sendable {
        package var contacts = 0
        /// The touches of which this program has heard.
        package var heard = 0
        package var flickers = 0
        package var storms = 0
        /// The reports of fingers that moved fast, and the microseconds that they took.
        package var reports = 0
        package var reportTime = 0
        /// The microseconds for which fingers rested, and the micrometres that they wandered meanwhile.
        package var restTime = 0
        package var wander = 0

        /// These are added, and compared with zero.
        private static var counters: [WritableKeyPath<Self, Int>] {
            [\.contacts, \.heard, \.flickers, \.storms, \.reports, \.reportTime, \.restTime, \.wander]
        }

        package var isEmpty: Bool { Self.counters.allSatisfy { self[keyPath: $0] == 0 } }

        package mutating func add(_ more: PanelUse) {
            for counter in Self.counters { self[keyPath: counter] += more[keyPath: counter] }
        }

        /// The reports in a second of a finger that moves fast; `nil` if there were too few to tell.
        package var reportRate: Double? {
            reports >= 200 && reportTime > 0 ? Double(reports) * 1e6 / Double(reportTime) : nil
        }

        /// The millimetres that a resting finger wanders in a second; `nil` if none has rested for long enough to tell.
        package var jitter: Double? { restTime >= 20_000_000 ? Double(wander) * 1e3 / Double(restTime) : nil }
    }

    package let quarter: LocalQuarter
    package var sessions: [Session: Int] = [:]
    package var gestures: [GestureKey: Int] = [:]
    package var failures: [FailureKey: Int] = [:]
    package var uses: [String: Use] = [:]
    /// The milliseconds of sessions in each scene.
    package var scenes: [String: Int] = [:]
    package var maps: [MapKey: SparseCounts] = [:]
    package var limits: [LimitKey: Misses] = [:]
    package var panels: [String: PanelUse] = [:]
    /// The seconds during which the daemon was connected.
    package var listened = 0
    /// The seconds during which the display was off.
    package var dark = 0

    package init(_ quarter: LocalQuarter) { self.quarter = quarter }

    package var isEmpty: Bool {
        sessions.isEmpty && gestures.isEmpty && failures.isEmpty && uses.isEmpty && scenes.isEmpty && maps.isEmpty
            && limits.isEmpty && panels.values.allSatisfy { $0.isEmpty }
    }
}

extension Sequence<QuarterTally.PanelUse> {
    package var sum: QuarterTally.PanelUse { reduce(into: .init()) { $0.add($1) } }
}

extension QuarterTally {
    /// The fewest touches of a quarter that say something about their place.
    private static let leastLonely = 3

    /// Notes the place of all touches on a panel if there was only one: hands go from place to place, ghosts stay.
    mutating func noteLonelyPlaces() {
        for (device, maps) in Dictionary(grouping: maps.filter({ $0.key.kind == .all }), by: { $0.key.device }) {
            let total = maps.reduce(0) { $0 + $1.value.total }
            guard total >= Self.leastLonely,
                let (key, counts) = maps.max(by: { ($0.value.total, $1.key.scene) < ($1.value.total, $0.key.scene) }),
                let most = counts.sorted.max(by: { ($0.count, $1.place) < ($1.count, $0.place) })
            else { continue }
            let near = key.grid.neighbours(of: most.place).reduce(most.count) { $0 + counts[$1] }
            guard near * 10 >= total * 9 else { continue }
            let place = MapKey(device: device, scene: key.scene, kind: .alone, grid: key.grid)
            self.maps[place, default: .init()].add(at: most.place)
        }
    }
}

/// The cells of a panel's output, row by row from the upper left corner.
package struct CellGrid: Hashable, Sendable {
    /// The smallest width of a cell in millimetres: the report knows no finer place.
    package static let smallest = 5.0
    private static let mostCells = 200

    package let columns: Int
    package let rows: Int
    /// The width of a cell in tenths of a millimetre.
    package let cell: Int

    package init(columns: Int, rows: Int, cell: Int) { (self.columns, self.rows, self.cell) = (columns, rows, cell) }

    /// - Parameters:
    ///   - width: the width of the output in millimetres.
    ///   - height: its height.
    package init?(width: Double, height: Double) {
        guard width > 0, height > 0, width < 1e5, height < 1e5 else { return nil }
        // On a panel of more than a metre the cells are larger, as in the daemon's `touch_map`.
        cell = Int((max(Self.smallest, max(width, height) / Double(Self.mostCells)) * 10).rounded(.up))
        columns = max(1, Int((width * 10 / Double(cell)).rounded(.up)))
        rows = max(1, Int((height * 10 / Double(cell)).rounded(.up)))
    }

    /// A grid from a file.
    /// - Returns: `nil` if no panel has such a grid.
    package init?(stored columns: Int, _ rows: Int, cell: Int) {
        let cells = 1...Self.mostCells + 1
        guard cells.contains(columns), cells.contains(rows), (50...5000).contains(cell) else { return nil }
        self.init(columns: columns, rows: rows, cell: cell)
    }

    /// - Parameters:
    ///   - x: the distance from the left edge in millimetres.
    ///   - y: the distance from the upper edge.
    package func cell(x: Double, y: Double) -> Int? {
        guard x.isFinite, y.isFinite else { return nil }
        let side = Double(cell) / 10
        let column = max(0, min(columns - 1, Int(max(-1, min(x / side, 1e6)))))
        let row = max(0, min(rows - 1, Int(max(-1, min(y / side, 1e6)))))
        return row * columns + column
    }

    /// The cells around a cell, at most eight.
    package func neighbours(of cell: Int) -> [Int] {
        let (column, row) = (cell % columns, cell / columns)
        return (row - 1...row + 1).flatMap { y in
            (column - 1...column + 1).compactMap { x in
                (0..<columns).contains(x) && (0..<rows).contains(y) && (x, y) != (column, row) ? y * columns + x : nil
            }
        }
    }
}

/// A place at which contacts land that nobody makes, such as a crack.
package struct GhostPlace: Hashable, Sendable {
    package var device: String
    /// The place in tenths of a millimetre.
    package var x: Int
    package var y: Int

    /// Whether a cell is the one of this place or next to it.
    func isNear(_ cell: Int, _ grid: CellGrid, _ device: String) -> Bool {
        device == self.device && abs(cell % grid.columns - x / grid.cell) <= 1
            && abs(cell / grid.columns - y / grid.cell) <= 1
    }
}
