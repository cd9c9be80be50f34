// SPDX-License-Identifier: MIT
import GestureServer
import LinuxSystem

/// The parts that change regions for clients, and the work that they leave for the end of a turn.
struct ClientRegions {
    let control: RegionControl
    let changes: RegionChanges
    let leases: Leases
    let definitions: Definitions
    private let schedule: TurnSchedule

    init(loop: EventLoop, _ server: GestureServer, _ updates: PanelUpdates, _ statistics: PanelStatistics) {
        control = RegionControl(updates: updates)
        changes = RegionChanges(updates)
        leases = Leases(changes, statistics)
        definitions = Definitions(loop: loop, server, updates, changes, leases)
        schedule = loop.schedule
    }

    var hasWork: Bool { leases.hasEnded || definitions.isWaiting || changes.isWaiting }

    /// Does the work now, or in the next turn if this one is long already.
    func workSoon() {
        guard schedule.isTurnLong else { return work() }
        if hasWork { schedule.tryAgain { work() } }
    }

    private func work() {
        leases.end()
        definitions.startNext()
        changes.applyWaiting()
    }
}
