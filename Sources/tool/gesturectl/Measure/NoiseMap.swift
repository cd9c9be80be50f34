// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureProtocol

/// Where a panel that nobody touches reports contacts, in square cells.
struct NoiseMap {
    /// The side of a cell in millimetres, the same as in the daemon's `touch_map`.
    private static let side = 5.0
    /// The number of landings that make a cell noisy. Fewer may be a hand that brushed the panel.
    private static let least = 3
    /// The number of masks that the configuration accepts.
    private static let most = 64

    private let size: Rectangle
    private var points: [Point] = []
    /// The most landings that are kept: those of an hour at the rate of a storm.
    private static let mostPoints = 150_000

    /// - Parameter bounds: the panel in millimetres.
    init(_ bounds: Rectangle) { size = bounds }

    var contacts: Int { points.count }

    mutating func take(_ frame: TouchFrame) {
        for change in frame.changes where change.kind == .landed && points.count < Self.mostPoints {
            points.append(change.position)
        }
    }

    /// The areas of the noisy cells.
    /// - Parameter masks: the masks in force, which count for the number that the configuration accepts.
    func areas(beside masks: [Rectangle]) -> [Rectangle] {
        // A crack may be long and oblique. If its cells make too many areas, larger cells make fewer.
        var side = Self.side
        while true {
            let areas = areas(side)
            let room = Self.most - masks.count
            if areas.count <= room || areas.count < 2 || room < 1 { return areas }
            side *= 2
        }
    }

    private func areas(_ side: Double) -> [Rectangle] {
        var counts: [[Int]: Int] = [:]
        for point in points { counts[[Int(max(0, point.y) / side), Int(max(0, point.x) / side)], default: 0] += 1 }
        let cells = counts.filter { $0.value >= Self.least }.keys
        var rows: [Int: [ClosedRange<Int>]] = [:]
        for cell in cells.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let (row, column) = (cell[0], cell[1])
            var runs = rows[row] ?? []
            if let last = runs.last, last.upperBound == column - 1 {
                runs[runs.count - 1] = last.lowerBound...column
            } else {
                runs.append(column...column)
            }
            rows[row] = runs
        }
        return Self.merged(rows).map { columns, rows in
            Rectangle(
                minX: Double(columns.lowerBound) * side, minY: Double(rows.lowerBound) * side,
                maxX: Double(columns.upperBound + 1) * side, maxY: Double(rows.upperBound + 1) * side
            ).intersection(size)
            // A strip at the edge would be written as 0.0mm.
        }.filter { $0.maxX - $0.minX >= 0.1 && $0.maxY - $0.minY >= 0.1 }
    }

    /// Joins runs of columns that are the same in consecutive rows.
    private static func merged(_ rows: [Int: [ClosedRange<Int>]]) -> [(ClosedRange<Int>, ClosedRange<Int>)] {
        var areas: [(columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = []
        for (row, runs) in rows.sorted(by: { $0.key < $1.key }) {
            for run in runs {
                if let index = areas.firstIndex(where: { $0.columns == run && $0.rows.upperBound == row - 1 }) {
                    areas[index].rows = areas[index].rows.lowerBound...row
                } else {
                    areas.append((run, row...row))
                }
            }
        }
        return areas
    }
}

/// The result of `gesturectl measure noise`.
struct NoiseReport {
    let panel: PanelSetup
    let map: NoiseMap
    /// The masks in force.
    let masks: [Rectangle]
    let areas: [Rectangle]

    init(_ panel: PanelSetup, _ map: NoiseMap) {
        (self.panel, self.map, masks) = (panel, map, panel.filter.masks)
        areas = map.areas(beside: masks)
    }

    /// The key that hides the noise: the masks in force and the new ones. `nil` if there is no noise.
    var finding: PanelFinding? {
        guard !areas.isEmpty else { return nil }
        let masks = (masks + areas).map { area in
            let sides = [area.minX, area.minY, area.width, area.height].map { "\"\(fixed($0, 1))mm\"" }
            return "[\(sides.joined(separator: ", "))]"
        }
        return PanelFinding(.mask, key: "filter = { mask = [\(masks.joined(separator: ", "))] }", value: "")
    }

    /// The result in words.
    private var remark: String {
        let size = panel.size
        let share = areas.reduce(0) { $0 + $1.width * $1.height } / (size.widthMillimeters * size.heightMillimeters)
        let found = "\(counted(map.contacts, "contact")) on \"\(panel.device.safe)\", while nobody touched it"
        guard !areas.isEmpty else {
            return found + (map.contacts > 0 ? ", not often enough at one place for a mask" : "")
        }
        return "\(found); \(counted(areas.count, "noisy area")), \(shortest(share * 100)) % of the panel"
    }

    /// - Parameter table: the lines of the `[[device]]`; empty if there is no noise.
    func text(_ table: [String]) -> String { (["# noise: \(remark)"] + table).joined(separator: "\n") + "\n" }

    func line(_ table: [String]) -> [UInt8] {
        JSONWriter.line { json in
            json.member("measure", "noise")
            json.member("device", panel.device)
            json.member("contacts", map.contacts)
            json.objects("areas", areas) { area, json in
                json.member("x_mm", tenths: area.minX)
                json.member("y_mm", tenths: area.minY)
                json.member("width_mm", tenths: area.width)
                json.member("height_mm", tenths: area.height)
            }
            if !table.isEmpty { json.member("suggestion", table.joined(separator: "\n") + "\n") }
        }
    }
}
