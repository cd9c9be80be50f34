// SPDX-License-Identifier: MIT
import GestureProtocol

/// The daemon's counters of its panels, from its reply to `counts`.
struct PanelCounts {
    /// A value that changes with each start of the daemon.
    let instance: String
    private var panels: [String: QuarterTally.PanelUse] = [:]

    init(_ reply: JSONValue, instance: String) {
        self.instance = instance
        for value in reply.list("devices") {
            func count(_ key: String) -> Int { Int(clamping: min(max(0, value[key]?.integer ?? 0), 1 << 40)) }
            panels[value.text("device")] = .init(
                contacts: count("contacts"), flickers: count("flickers"), storms: count("storms"))
        }
    }

    /// - Parameter before: earlier counts. Those of another run of the daemon began with zero, and so did a counter that
    ///   is lower now.
    func since(_ before: PanelCounts?) -> [String: QuarterTally.PanelUse] {
        let old = before?.instance == instance ? before?.panels ?? [:] : [:]
        func difference(_ new: Int, _ old: Int) -> Int { new >= old ? new - old : new }
        var result: [String: QuarterTally.PanelUse] = [:]
        for (device, use) in panels {
            let earlier = old[device] ?? .init()
            result[device] = .init(
                contacts: difference(use.contacts, earlier.contacts),
                flickers: difference(use.flickers, earlier.flickers), storms: difference(use.storms, earlier.storms))
        }
        return result
    }
}
