// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Opens panels with the dependencies that all panels share.
struct PanelFactory {
    let loop: EventLoop
    let log: Log
    let server: GestureServer
    let crashGuard: CrashGuard
    let idle: IdleWatch
    let statistics: PanelStatistics
    let identifiers = Identifiers()

    /// Opens a panel.
    /// - Parameters:
    ///   - input: the device, which has just been opened.
    ///   - notify: receives the panel's events.
    /// - Throws: if the device cannot be read.
    func open(
        _ device: AttachedDevice, _ setup: PanelSetup, _ input: InputDevice, notify: @escaping (PanelEvent) -> Void
    ) throws(SystemError) -> Panel {
        let panel = Panel(
            setup, input: input, identifiers: identifiers, server: server,
            seen: SeenContacts(of: device.discovered.systemPath, named: device.fallbackName),
            sharingRefusal: { [crashGuard] in crashGuard.refusal() }, notify: notify)
        guardWake(of: panel)
        try panel.start(loop)
        panel.pipeline.interest = server.interest
        panel.pipeline.idle = idle
        panel.pipeline.tallies = statistics.tallies
        panel.pipeline.touchMap = statistics.touchMap(for: setup)
        logTransitions(of: panel)
        return panel
    }

    private func guardWake(of panel: Panel) {
        guard let display = panel.pipeline.setup.wake.map(\.display) else { return }
        panel.pipeline.guardWake {
            let isOff = display.map { DisplayPower.isOff(file: $0) } ?? DisplayPower.isOff()
            return isOff ? .display : nil
        }
    }

    /// Logs each transition of a gesture if the level is debug.
    func logTransitions(of panel: Panel) {
        panel.pipeline.transitionLog = log.level == .debug ? { [log] text in log.debug(text) } : nil
    }
}
