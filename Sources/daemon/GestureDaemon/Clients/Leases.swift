// SPDX-License-Identifier: MIT

/// Cleans up after closed connections: removes their leases, profiles, waiting changes, and maps of touches.
final class Leases {
    private let changes: RegionChanges
    private let profiles: Profiles
    private let statistics: PanelStatistics
    /// Closed connections, whose leases end at the end of the turn.
    private var ended: [Int64] = []

    init(_ changes: RegionChanges, _ profiles: Profiles, _ statistics: PanelStatistics) {
        (self.changes, self.profiles, self.statistics) = (changes, profiles, statistics)
    }

    /// Records that a connection has closed. Its leases end later, because a panel may be sending lines right now, and
    /// many connections may close together.
    func connectionEnded(_ connection: Int64) { ended.append(connection) }

    var hasEnded: Bool { !ended.isEmpty }

    /// Ends the leases of the connections that have closed.
    func end() {
        guard hasEnded else { return }
        let connections = ended
        ended = []
        statistics.forgetTouchMaps(of: connections)
        profiles.endLeases(of: connections)
        changes.endLeases(of: connections)
    }
}
