// SPDX-License-Identifier: MIT
/// The contents of the database about some days.
package struct ReportData: Hashable, Sendable {
    package struct Day: Hashable, Sendable {
        package var day: LocalDay
        package var sessions = 0
        package var touches = 0
        package var seconds = 0
    }

    package struct Region: Hashable, Sendable {
        package var name: String
        package var use = QuarterTally.Use()
        package var gestures: [Count] = []
        package var failures: [Failure] = []
    }

    package struct Count: Hashable, Sendable {
        package var name: String
        package var count: Int
    }

    package struct Failure: Hashable, Sendable {
        package var gesture: String
        package var code: String
        package var count: Int
    }

    /// Where touches landed, summed over all scenes or for one.
    package struct Map: Hashable, Sendable {
        package var device: String
        package var scene: String
        package var kind: QuarterTally.MapKind
        package var grid: CellGrid
        package var counts: SparseCounts
    }

    package struct Limit: Hashable, Sendable {
        package var key: QuarterTally.LimitKey
        package var misses: QuarterTally.Misses
        /// The last day on which this limit was in force.
        package var lastDay: Int64
    }

    package struct Box: Hashable, Sendable {
        package var device: String
        package var region: String
        /// The sides in tenths of a millimetre.
        package var left: Int
        package var top: Int
        package var right: Int
        package var bottom: Int
    }

    /// One hour of one panel.
    package struct PanelHour: Hashable, Sendable {
        package var hour: Int64
        package var device: String
        package var use: QuarterTally.PanelUse
        package var listened: Int
        /// The seconds in which the display was off.
        package var dark = 0
    }

    package var first: LocalDay
    package var last: LocalDay
    package var days: [Day] = []
    /// The sessions that began in each hour of the day, 24 numbers.
    package var hours = [Int](repeating: 0, count: 24)
    /// The number of sessions by their length in seconds, in ascending order.
    package var lengths: [(seconds: Int, count: Int)] = []
    package var regions: [Region] = []
    package var scenes: [Count] = []
    package var maps: [Map] = []
    package var limits: [Limit] = []
    package var boxes: [Box] = []
    package var panels: [PanelHour] = []

    package init(first: LocalDay, last: LocalDay) { (self.first, self.last) = (first, last) }

    package var sessions: Int { days.reduce(0) { $0 + $1.sessions } }
    package var touches: Int { days.reduce(0) { $0 + $1.touches } }
    package var failed: Int { regions.reduce(0) { $0 + $1.use.failed } }
    package var nothing: Int { regions.reduce(0) { $0 + $1.use.nothing } }

    /// The sums of each panel, in the order of their names, and the seconds in which its display was off.
    package var glass: [(device: String, use: QuarterTally.PanelUse, dark: Int)] {
        Dictionary(grouping: panels) { $0.device }.sorted { $0.key < $1.key }.map { device, hours in
            (device, hours.map { $0.use }.sum, hours.reduce(0) { $0 + $1.dark })
        }
    }

    /// The length that half of the sessions exceed, in seconds.
    package var medianLength: Int {
        var rest = sessions / 2
        for (seconds, count) in lengths {
            if rest < count { return seconds }
            rest -= count
        }
        return 0
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.first == b.first && a.last == b.last && a.days == b.days && a.regions == b.regions && a.scenes == b.scenes
            && a.maps == b.maps && a.limits == b.limits && a.panels == b.panels
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(days)
        hasher.combine(regions)
    }
}
