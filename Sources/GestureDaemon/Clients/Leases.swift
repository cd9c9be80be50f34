// SPDX-License-Identifier: MIT

/// Cleans up after connections: ends their leases, waiting changes, and maps of touches.
final class Leases {
    private let changes: RegionChanges
    private let statistics: PanelStatistics
    /// Connections that have ended and whose leases end with the turn.
    private var ended: [Int64] = []

    init(_ changes: RegionChanges, _ statistics: PanelStatistics) {
        (self.changes, self.statistics) = (changes, statistics)
    }

    /// Records the end of a connection. Nothing else happens yet, because a panel may be sending, and many
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
