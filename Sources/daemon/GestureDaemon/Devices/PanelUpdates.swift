// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import TouchInput

/// Applies the current configuration to the open panels.
struct PanelUpdates {
    let panels: Panels
    let store: ConfigurationStore
    let log: Log
    let announcements: Announcements

    private var devices: Devices { panels.devices }

    /// Applies a new configuration to every device. If only the regions of a panel differ, gestures in its unchanged
    /// regions go on.
    ///
    /// - Parameter prepared: the panels as laid out by a thread.
    func applyConfiguration(_ prepared: PreparedPanels?) {
        panels.findNew()
        var logged: Set<Diagnostic> = []
        for device in devices.attached {
            let decision = devices.decision(for: device, prepared)
            if let panel = device.panel, case .ready(let setup) = decision,
                setup.differsOnlyInRegions(from: panel.pipeline.setup)
            {
                panel.replaceRegions(setup)
                panel.renewGrab()
            } else {
                panels.reopen(device)
            }
            guard let setup = device.panel?.pipeline.setup else { continue }
            // Panels of the same size have the same warnings, so each warning is logged only once.
            let path = device.discovered.systemPath
            let found = prepared?.diagnostics(for: path, setup.layout) ?? setup.diagnostics
            log.write(found.filter { logged.insert($0).inserted })
        }
        panels.publishSubjects()
        panels.warnAboutUnmatchedRules()
    }

    /// Applies the regions defined by clients, and announces them. The first private region and the end of the last one
    /// may change an output that a client has set.
    ///
    /// - Parameters:
    ///   - reads: whether to handle all available events of the panels first.
    ///   - prepared: the panels as laid out by a thread.
    func applyRegions(reads: Bool = true, _ prepared: PreparedPanels? = nil) {
        var change = Announcements.Change.regions
        for (panel, setup) in current(prepared) {
            if setup.output == panel.pipeline.setup.output {
                panel.replaceRegions(setup, removalReason: .client, reads: reads)
            } else {
                panels.replaceOutput(of: panel, setup)
                change = .output
            }
        }
        panels.publishSubjects()
        announcements.runtime(change)
    }

    /// Applies the profile in force, and announces it.
    /// - Returns: whether a panel keeps values of the earlier profile for a while.
    func applyProfile() -> Bool {
        var isWaiting = false
        for (panel, setup) in current() where panel.changeProfile(setup) { isWaiting = true }
        panels.publishSubjects()
        announcements.runtime(.profile)
        return isWaiting
    }

    /// Applies the outputs set by clients, and announces them.
    func applyOutputs() {
        for (panel, setup) in current() where setup.output != panel.pipeline.setup.output {
            panels.replaceOutput(of: panel, setup)
        }
        panels.publishSubjects()
        announcements.runtime(.output)
    }

    /// Logs the outputs set by clients that are not used because there are private regions.
    func warnAboutUnusedOutputs() {
        let used = store.current.runtime.outputs
        for key in store.changes.outputs.keys.sorted() where used[key] == nil {
            log.warning(
                "output: that of \"\(SafeText.name(key))\" was set by a user who is not in private_uids; while there are "
                    + "private regions, that of the files is used instead")
        }
    }

    /// The open panels, with the setups that the configuration and the changes of clients give them now.
    /// - Parameter prepared: the panels as laid out by a thread.
    private func current(_ prepared: PreparedPanels? = nil) -> [(panel: Panel, setup: PanelSetup)] {
        devices.attached.compactMap { device in
            guard let panel = device.panel,
                case .ready(let setup) = devices.decision(for: device, prepared, keepsName: true)
            else { return nil }
            return (panel, setup)
        }
    }

    /// Enables and disables regions to match the configuration, and announces the change.
    func applySwitches(_ change: Announcements.Change) {
        let current = store.current
        let hidden = Set(zip(current.regions, current.isShown).filter { !$0.1 }.map { $0.0.id })
        for panel in devices.panels {
            let setup = panel.pipeline.setup
            let application = current.application(for: setup.size, rule: current.rule(for: setup.description))
            panel.switchRegions(application) { !hidden.contains($0.id) }
        }
        announcements.runtime(change)
    }

    /// Takes the panels again that five fingers have given back.
    func takeAgain() {
        for panel in devices.panels where panel.grab.state == .givenBack {
            panel.takeAgain()
            panels.noteGrab()
        }
    }

    /// The warnings about some regions on all panels, without duplicates.
    func layoutWarnings(about ids: Set<String>) -> [Diagnostic] {
        var listed: Set<Diagnostic> = []
        return devices.panels.flatMap { $0.pipeline.setup.layout.diagnostics(of: ids) }
            .filter { listed.insert($0).inserted }
    }
}
