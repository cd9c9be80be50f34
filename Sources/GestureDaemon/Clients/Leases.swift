// SPDX-License-Identifier: MIT

/// Cleans up after ended connections: removes their leases, waiting changes, and maps of touches.
final class Leases {
    private let changes: RegionChanges
    private let statistics: PanelStatistics
    /// Ended connections, whose leases end at the end of the turn.
    private var ended: [Int64] = []

    init(_ changes: RegionChanges, _ statistics: PanelStatistics) {
        (self.changes, self.statistics) = (changes, statistics)
    }

    /// Records the end of a connection. Its leases end later, because a panel may be sending lines right now, and many
    /// connections may end together.
    func connectionEnded(_ connection: Int64) { ended.append(connection) }

    var hasEnded: Bool { !ended.isEmpty }

    /// Ends the leases of the connections that have ended.
    func end() {
        guard hasEnded else { return }
        let connections = ended
        ended = []
        statistics.forgetTouchMaps(of: connections)
        changes.endLeases(of: connections)
    }
}
