// SPDX-License-Identifier: MIT

/// Ends what connections leave behind: their leases, changes that wait, maps of touches.
final class Leases {
    private let changes: RegionChanges
    private let statistics: PanelStatistics
    /// Connections that have ended, whose leases end with the turn.
    private var ended: [Int64] = []

    init(_ changes: RegionChanges, _ statistics: PanelStatistics) {
        (self.changes, self.statistics) = (changes, statistics)
    }

    /// The server may find a connection ended while a panel sends, and many may end together: so nothing else is done yet.
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
