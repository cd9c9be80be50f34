// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import TouchSharing

/// The counters since the start of the daemon, for open and removed panels.
final class PanelStatistics {
    let tallies = RegionTallies()
    private let devices: Devices
    private let store: ConfigurationStore
    /// The counters of removed panels, keyed by the panel's name.
    private var pastCounts: [String: PanelCounts] = [:]
    /// The maps of touches that connections have requested, keyed by the panel's name.
    private var touchMaps: [String: TouchMap] = [:]

    init(_ devices: Devices, _ store: ConfigurationStore) { (self.devices, self.store) = (devices, store) }

    /// Keeps the counters of a panel that has just been closed.
    func keepCounts(of panel: Panel) {
        pastCounts[panel.pipeline.setup.device, default: PanelCounts()].add(panel)
    }

    /// The sum of the counters of all panels, open and removed.
    var total: PanelCounts {
        var counts = pastCounts.values.reduce(into: PanelCounts()) { $0.add($1) }
        for panel in devices.panels { counts.add(panel) }
        return counts
    }

    /// Writes the members of the reply to a `counts` request.
    /// - Parameter seesPrivate: `false` excludes private regions.
    func writeCounts(seesPrivate: Bool, into json: inout JSONWriter) {
        json.array("devices") { json in
            for panel in devices.panels {
                json.object { writeCounts(of: panel, seesPrivate: seesPrivate, into: &$0) }
            }
        }
        let regions = store.current.view(seesPrivate: seesPrivate).regions
        tallies.write(regions.lazy.map { ($0.id, $0.isPrivate) }, into: &json)
    }

    private func writeCounts(of panel: Panel, seesPrivate: Bool, into json: inout JSONWriter) {
        let device = panel.pipeline.setup.device
        var counts = pastCounts[device] ?? PanelCounts()
        counts.add(panel)
        let contacts = counts.contacts.sum(seesPrivate: seesPrivate)
        json.member("device", device)
        json.member("contacts", contacts.landed)
        json.object("ignored") { json in
            for filter in ContactFilter.allCases where contacts.hidden(by: filter) > 0 {
                json.key(named: filter.word)
                json.value(contacts.hidden(by: filter))
            }
        }
        counts.shared.sum(seesPrivate: seesPrivate).writeHidden(into: &json)
        json.member("storms", contacts.storms)
        json.member("flickers", contacts.flickers)
        json.member("bridged", contacts.bridged)
        json.member("exchanges", contacts.exchanges)
    }

    /// Writes the members of the reply to a `touch_map` request.
    func writeTouchMap(of panel: Panel, for connection: Int64, into json: inout JSONWriter) {
        let map = panel.pipeline.touchMap ?? TouchMap(panel.pipeline.setup.size.bounds)
        panel.pipeline.touchMap = map
        touchMaps[panel.pipeline.setup.device] = map
        json.member("device", panel.pipeline.setup.device)
        map.write(for: connection, into: &json)
    }

    /// The map that connections have requested for a panel of this name and size; `nil` if there is none.
    func touchMap(for setup: PanelSetup) -> TouchMap? {
        guard let map = touchMaps[setup.device] else { return nil }
        return map.fits(setup.size.bounds) ? map : nil
    }

    func forgetTouchMaps(of connections: [Int64]) {
        for (device, map) in touchMaps {
            for connection in connections { map.forget(connection) }
            guard map.isUnused else { continue }
            touchMaps[device] = nil
            for panel in devices.panels where panel.pipeline.touchMap === map { panel.pipeline.touchMap = nil }
        }
    }
}

/// The counters of panels since the start of the daemon.
struct PanelCounts: Hashable, Sendable {
    private(set) var lines = Sides<LineCounts>()
    private(set) var contacts = Sides<ContactCounts>()
    private(set) var shared = Sides<ShareCounts>()
    private(set) var resynchronizations: Int64 = 0

    mutating func add(_ panel: Panel) {
        lines.add(panel.pipeline.counts)
        contacts.add(panel.pipeline.contactCounts)
        shared.add(panel.pipeline.shareCounts)
        resynchronizations &+= panel.pipeline.resynchronizationCount
    }

    mutating func add(_ other: Self) {
        lines.add(other.lines)
        contacts.add(other.contacts)
        shared.add(other.shared)
        resynchronizations &+= other.resynchronizations
    }
}
