// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer

/// The answers to `counts` and `touch_map`.
extension Daemon {
    /// - Parameter seesPrivate: otherwise what happened in private regions is not counted.
    func writeCounts(seesPrivate: Bool, into json: inout JSONWriter) {
        json.array("devices") { json in
            for panel in panels {
                json.object { writeCounts(of: panel, seesPrivate: seesPrivate, into: &$0) }
            }
        }
        let regions = store.current.view(seesPrivate: seesPrivate).regions
        tallies.write(regions.lazy.map { $0.id }, seesPrivate: seesPrivate, into: &json)
    }

    private func writeCounts(of panel: Panel, seesPrivate: Bool, into json: inout JSONWriter) {
        let device = panel.pipeline.setup.device
        var counts = pastCounts[device] ?? PanelCounts()
        counts.add(panel)
        json.member("device", device)
        json.member("contacts", (seesPrivate ? counts.all : counts.open).contacts)
        // Hidden contacts may have been in private regions.
        guard seesPrivate || !store.hidesPrivate else { return }
        json.object("ignored") { json in
            for filter in ContactFilter.allCases where counts.contacts.hidden(by: filter) > 0 {
                json.key(named: filter.word)
                json.value(counts.contacts.hidden(by: filter))
            }
        }
        json.member("storms", counts.contacts.storms)
    }

    func writeTouchMap(of panel: Panel, for connection: Int64, into json: inout JSONWriter) {
        let map = panel.pipeline.touchMap ?? TouchMap(panel.pipeline.setup.size.bounds)
        panel.pipeline.touchMap = map
        touchMaps[panel.pipeline.setup.device] = map
        json.member("device", panel.pipeline.setup.device)
        map.write(for: connection, into: &json)
    }

    /// The map that connections have asked for of a panel with this name and size.
    func touchMap(for panel: Panel) -> TouchMap? {
        let setup = panel.pipeline.setup
        guard let map = touchMaps[setup.device] else { return nil }
        return map.fits(setup.size.bounds) ? map : nil
    }

    func forgetTouchMaps(of connections: [Int64]) {
        for (device, map) in touchMaps {
            for connection in connections { map.forget(connection) }
            guard map.isUnused else { continue }
            touchMaps[device] = nil
            for panel in panels where panel.pipeline.touchMap === map { panel.pipeline.touchMap = nil }
        }
    }
}
