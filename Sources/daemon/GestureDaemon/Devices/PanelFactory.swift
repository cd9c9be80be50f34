// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
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
    let store: ConfigurationStore
    let memories: PanelMemories
    let identifiers = Identifiers()
    let displays = DisplayPower()

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
        guardWake(of: panel, device)
        memories.restore(panel, of: device)
        try panel.start(loop)
        _ = panel.display?.check()
        panel.pipeline.interest = server.interest
        panel.pipeline.idle = idle
        panel.pipeline.tallies = statistics.tallies
        panel.pipeline.touchMap = statistics.touchMap(for: setup)
        logTransitions(of: panel)
        return panel
    }

    /// Keeps touches that wake the display from everybody, if the configuration asks for it.
    private func guardWake(of panel: Panel, _ device: AttachedDevice) {
        guard let settings = panel.pipeline.setup.wake else { return }
        let label = "\(device.node) \"\(device.device)\""
        var keyboard = settings.key.flatMap { makeKeyboard($0, for: device, label) }
        let display = WakeDisplay(settings, displays) { [log] in log.warning("device: \(label): \($0)") }
        panel.display = display
        panel.pipeline.guardWake { [store] in
            store.current.isDark ? .scene : display.isOff() ? .display : nil
        } wakes: { [log] time in
            do throws(SystemError) {
                try keyboard?.press(at: time)
            } catch {
                keyboard = nil
                log.warning("device: \(label): no key wakes its display any more: \(error)")
            }
        } report: {
            display.report(isDark: $0 != nil)
        }
    }

    private func makeKeyboard(_ key: WakeKey, for device: AttachedDevice, _ label: String) -> WakeKeyboard? {
        do throws(SystemError) {
            return try WakeKeyboard(key, for: device.fallbackName)
        } catch {
            let remedy = PanelTwin.remedy(for: error).map { "; " + $0 } ?? ""
            log.warning(
                "device: \(label): no key wakes its display; gestures are guarded all the same: \(error)\(remedy)")
            return nil
        }
    }

    /// Logs each transition of a gesture if the level is debug.
    func logTransitions(of panel: Panel) {
        panel.pipeline.transitionLog = log.level == .debug ? { [log] text in log.debug(text) } : nil
    }
}

extension PanelSetup {
    /// The size of the panel, and the number of its contacts.
    var summary: String {
        let pixels = "\(Int64(size.widthPixels.rounded()))x\(Int64(size.heightPixels.rounded())) px"
        let glass = "\(Int64(size.widthMillimeters.rounded()))x\(Int64(size.heightMillimeters.rounded())) mm"
        return "\(pixels), \(glass), \(counted(touchProtocol.slotCount, "contact"))"
    }
}
