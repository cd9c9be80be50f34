// SPDX-License-Identifier: MIT

/// The weeks before a day, from which the health of a panel's glass is judged.
package struct HealthHistory: Hashable, Sendable {
    /// One day of one panel.
    package struct Day: Hashable, Sendable {
        package var maps: [CellGrid: SparseCounts] = [:]
        package var lonely: [CellGrid: SparseCounts] = [:]
        /// The hours of the day that the service has listened to for most of the time.
        package var hours: [Int: QuarterTally.PanelUse] = [:]
        /// The seconds of each of these hours in which the display was off.
        package var dark: [Int: Int] = [:]

        /// The sum of the hours.
        var use: QuarterTally.PanelUse { hours.values.sum }
    }

    /// The number of days before the judged one.
    package static let length: Int64 = 28

    package let last: LocalDay
    /// The days of each panel, by their number.
    package var panels: [String: [Int64: Day]] = [:]

    package init(last: LocalDay, panels: [String: [Int64: Day]] = [:]) { (self.last, self.panels) = (last, panels) }

    package mutating func add(_ map: ReportData.Map, on day: Int64) {
        var entry = panels[map.device]?[day] ?? Day()
        switch map.kind {
        case .all: entry.maps[map.grid, default: .init()].add(map.counts)
        case .alone: entry.lonely[map.grid, default: .init()].add(map.counts)
        case .nothing: return
        }
        panels[map.device, default: [:]][day] = entry
    }

    /// The shortest time in seconds for which the service must have listened in an hour that counts.
    private static let mostOfAnHour = 3000

    package mutating func add(_ hour: ReportData.PanelHour) {
        guard hour.listened >= Self.mostOfAnHour else { return }
        let day = (hour.hour - (hour.hour % 24 + 24) % 24) / 24
        let number = Int(hour.hour - day * 24)
        panels[hour.device, default: [:]][day, default: Day()].hours[number] = hour.use
        panels[hour.device, default: [:]][day, default: Day()].dark[number] = hour.dark
    }
}

/// A trouble with a panel's glass, controller or cable.
package struct GlassFinding: Hashable, Sendable {
    package enum Trouble: Hashable, Sendable {
        /// Touches no longer arrive at a place.
        case deadCell(x: Int, y: Int)
        /// Contacts land at a place that nobody touches.
        case noisyCell(x: Int, y: Int)
        /// Contacts land outside of regions while nobody touches one.
        case noise
        /// Nothing arrives at times at which there were always touches.
        case silence(hours: Int)
        /// The panel loses fingers for a moment more often than before.
        case dropouts
        /// The panel reports fingers less often than before.
        case slow
        /// The positions of resting fingers wander more than before.
        case jitter
    }

    package let device: String
    package let trouble: Trouble
    /// The numbers from which this follows.
    package let reason: String

    /// The part of the health that it takes away.
    package var weight: Int {
        switch trouble {
        case .silence: 70
        case .noisyCell, .noise: 40
        case .deadCell: 40
        case .dropouts, .slow, .jitter: 20
        }
    }

    package var text: String {
        switch trouble {
        case .deadCell(let x, let y): "\(device): a spot no longer reacts, \(Self.place(x, y)): \(reason)"
        case .noisyCell(let x, let y): "\(device): contacts without hands, \(Self.place(x, y)): \(reason)"
        case .noise: "\(device): contacts without hands outside of regions: \(reason)"
        case .silence(let hours): "\(device): silent for \(hours) h: \(reason)"
        case .dropouts: "\(device): fingers are lost for a moment: \(reason)"
        case .slow: "\(device): fingers are reported less often: \(reason)"
        case .jitter: "\(device): resting fingers tremble: \(reason)"
        }
    }

    private static func place(_ x: Int, _ y: Int) -> String {
        "\(x / 10) mm from the left and \(y / 10) mm from the top"
    }

    /// Whether this finding is about the same trouble as another day's. A crack does not always hit the same cell.
    func isAbout(_ other: Trouble) -> Bool {
        switch (trouble, other) {
        case (.noisyCell(let x, let y), .noisyCell(let a, let b)): abs(x - a) <= 100 && abs(y - b) <= 100
        case (.silence, .silence): true
        default: trouble == other
        }
    }

    /// The words of the trouble for programs.
    package var word: String {
        switch trouble {
        case .deadCell: "dead_cell"
        case .noisyCell: "noisy_cell"
        case .noise: "noise"
        case .silence: "silence"
        case .dropouts: "dropouts"
        case .slow: "slow"
        case .jitter: "jitter"
        }
    }
}

/// The health of all panels: one number, and the reasons for it.
package struct GlassHealth: Hashable, Sendable {
    package let findings: [GlassFinding]

    init(_ findings: [GlassFinding]) { self.findings = findings }

    package init(_ history: HealthHistory) {
        findings = history.panels.sorted { $0.key < $1.key }.flatMap { device, days in
            PanelJudge(device, days, history.last.number).findingsInForce
        }.sorted { ($1.weight, $0.text) < ($0.weight, $1.text) }
    }

    /// From 0 to 100; 100 if nothing is wrong.
    package var score: Int {
        // Two troubles are worse than one, but several cells of one crack are one trouble.
        var words: Set<String> = []
        return max(0, 100 - findings.reduce(0) { words.insert($1.word).inserted ? $0 + $1.weight : $0 })
    }

    /// The places of contacts without hands.
    package var ghosts: [GhostPlace] {
        findings.compactMap {
            guard case .noisyCell(let x, let y) = $0.trouble else { return nil }
            return GhostPlace(device: $0.device, x: x, y: y)
        }
    }

    package var reason: String { findings.first?.text ?? "nothing is wrong" }
}
