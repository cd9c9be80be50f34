// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Opens and closes panels as devices come, change and go, and as the configuration changes.
final class Panels: DeviceMonitorDelegate {
    let devices: Devices
    private let factory: PanelFactory
    private let store: ConfigurationStore
    private let log: Log
    private let server: GestureServer
    private let service: ServiceStatus
    private let announcements: Announcements
    private var monitor: DeviceMonitor?
    let twins: RetiredTwins

    init(
        _ devices: Devices, _ factory: PanelFactory, _ twins: RetiredTwins, _ store: ConfigurationStore,
        _ service: ServiceStatus, _ announcements: Announcements
    ) {
        (self.devices, self.factory, self.store, self.service) = (devices, factory, store, service)
        (log, server) = (factory.log, factory.server)
        (self.twins, self.announcements) = (twins, announcements)
    }

    /// Opens the panels that are there, and from now on those that come.
    func start() {
        publishSubjects()
        twins.addStored()
        do throws(SystemError) {
            let monitor = try DeviceMonitor(loop: factory.loop)
            self.monitor = monitor
            try monitor.start(delegate: self)
        } catch {
            log.error("device: \(error); panels that come are seen within 30 s only; is udev running?")
        }
    }

    /// Closes all panels. Their twins go with `end()`, which may wait for a while.
    func stop() {
        for device in devices.attached { device.panel?.close(.disabled) }
    }

    func end() {
        monitor?.stop()
        twins.removeAll()
    }

    func deviceMonitor(_ monitor: DeviceMonitor, found discovered: DiscoveredDevice) -> Bool {
        let known = devices.device(at: discovered.systemPath)
        // Mice and keyboards are not opened.
        guard known != nil || devices.isCandidate(discovered.description) else {
            devices.unopened.append(discovered)
            return true
        }
        // A reload may have opened a lost device before it was tried again.
        if known?.panel != nil { return true }
        let device = known ?? AttachedDevice(discovered)
        if known == nil { devices.attached.append(device) }
        open(device)
        warnAboutRegions(of: device)
        service.show()
        if case .failed = device.state { return false }
        return true
    }

    func deviceMonitor(_ monitor: DeviceMonitor, lost discovered: DiscoveredDevice) {
        devices.unopened.removeAll { $0.systemPath == discovered.systemPath }
        guard let device = devices.device(at: discovered.systemPath) else { return }
        close(device, .deviceRemoved)
        devices.attached.removeAll { $0 === device }
        finishChange()
    }

    func deviceMonitor(_ monitor: DeviceMonitor, changed discovered: DiscoveredDevice) {
        if let device = devices.device(at: discovered.systemPath) {
            device.update(discovered)
            device.panel?.checkAxes()
            return applyRules(to: device)
        }
        // A rule may have made a touchscreen of it.
        guard let index = devices.unopened.firstIndex(where: { $0.systemPath == discovered.systemPath }) else { return }
        devices.unopened.remove(at: index)
        if !deviceMonitor(monitor, found: discovered) { monitor.tryAgain(discovered) }
    }

    /// Applies changed udev properties, which may make another panel of it: a calibration, a seat, access rights.
    private func applyRules(to device: AttachedDevice) {
        switch device.state {
        case .ready(let panel):
            guard case .ready(let setup) = devices.decision(for: device),
                setup.differsOnlyInRegions(from: panel.pipeline.setup)
            else { reopen(device); break }
            if setup.regions == panel.pipeline.setup.regions { return }
            panel.replaceRegions(setup)
        case .failed: openNowOrSoon(device)
        case .refused, .ignored:
            guard case .ready = devices.decision(for: device) else { return }
            openNowOrSoon(device)
        }
        warnAboutRegions(of: device)
        finishChange()
    }

    /// Closes a device and opens it with the current configuration.
    func reopen(_ device: AttachedDevice) {
        close(device, .reload)
        openNowOrSoon(device)
    }

    /// Opens devices that have come unnoticed, and those that only the new configuration asks for.
    func findNew() {
        // To ask udev for all devices takes milliseconds.
        monitor?.rescanIfChanged()
        for discovered in devices.unopened.filter({ devices.isCandidate($0.description) }) {
            devices.unopened.removeAll { $0.systemPath == discovered.systemPath }
            let device = AttachedDevice(discovered)
            devices.attached.append(device)
            openNowOrSoon(device)
        }
    }

    /// Opens a device, and tries again later if that fails.
    private func openNowOrSoon(_ device: AttachedDevice) {
        open(device)
        if case .failed = device.state { monitor?.tryAgain(device.discovered) }
    }

    private func open(_ device: AttachedDevice) {
        do throws(SystemError) {
            let input = try InputDevice(node: device.node, udev: device.discovered.description.udev)
            device.description = input.description
            try decide(device, input)
        } catch {
            couldNotOpen(device, error)
        }
    }

    private func couldNotOpen(_ device: AttachedDevice, _ error: SystemError) {
        let description = device.discovered.description
        let remedy = InputDevice.remedy(for: error, udev: description.udev)
        let reason = "\(error)" + (remedy.map { "; " + $0 } ?? "")
        // Not a touchscreen, and no [[device]] names it.
        let isForeign =
            description.udev["ID_INPUT_TOUCHSCREEN"] != "1"
            && store.current.rule(for: description)?.match.isSpecific != true
        if remedy != nil, isForeign {
            device.state = .refused(reason: reason)
            return log.info("device: \(device.node) refused: \(reason)")
        }
        // Logged once, for it is tried again and again.
        if device.state.reason != reason { log.warning("device: \(device.node) cannot be used: \(reason)") }
        device.state = .failed(reason: reason)
    }

    private func decide(_ device: AttachedDevice, _ input: InputDevice) throws(SystemError) {
        let label = "\(device.node) \"\(SafeText.name(device.name))\""
        switch devices.decision(for: device) {
        case .refused(let name, let reason):
            device.device = name
            device.state = .refused(reason: reason)
            log.info("device: \(label) refused: \(reason)")
        case .ignored(let name, let reason):
            device.device = name
            device.state = .ignored(reason: reason)
            log.info("device: \(label) ignored: \(reason)")
        case .ready(let setup):
            device.device = setup.device
            let panel = try factory.open(device, setup, input) { [unowned self, unowned device] in
                handle($0, of: device)
            }
            device.state = .ready(panel)
            for warning in setup.warnings { log.warning("device: \(label): \(warning)") }
            log.info("device: \(label) is \"\(setup.device)\", \(describe(setup))")
            // The server must know its gestures before the first line.
            publishSubjects()
            announcements.device(isAdded: true, device, panel)
            panel.landMissed()
        }
    }

    /// Logs warnings of the configuration about this panel's regions. A reload logs those of all panels together.
    private func warnAboutRegions(of device: AttachedDevice) {
        log.write(device.panel?.pipeline.setup.diagnostics ?? [])
    }

    private func handle(_ event: PanelEvent, of device: AttachedDevice) {
        let label = "\(device.node) \"\(device.device)\""
        switch event {
        case .lost:
            // Removed, as if udev had reported it.
            close(device, .deviceRemoved)
            device.state = .failed(reason: "lost while it was read")
            monitor?.tryAgain(device.discovered)
            finishChange()
        case .axesChanged:
            log.info("device: \(label): the ranges of its axes have changed; opened anew")
            close(device, .syncLost)
            openNowOrSoon(device)
            warnAboutRegions(of: device)
            finishChange()
        case .grabbed: log.info("device: \(label) grabbed: nobody else sees its touches")
        case .givenBack:
            log.warning("device: \(label) given back: five fingers rested on it; a reload grabs it again")
        case .grabbedElsewhere:
            log.warning(
                "device: \(label): another process has grabbed it: no touches come until that lets go")
        case .grabFailed(let code):
            let error = SystemError(call: "EVIOCGRAB", code: code, path: device.node)
            log.warning("device: \(label) cannot be grabbed: \(error)")
        case .twinMade(let descriptor, let node):
            twins.store(descriptor, of: device)
            log.info("device: \(label) is shared: applications read \(node ?? "its twin")")
        case .twinEnds(let twin):
            twins.add(twin, of: device)
        case .notShared(let reason):
            log.warning("device: \(label) is not shared, so that everybody gets its touches: \(reason)")
        }
    }

    private func close(_ device: AttachedDevice, _ reason: CancelReason) {
        guard let panel = device.panel else { return }
        panel.close(reason)
        factory.statistics.keepCounts(of: panel)
        device.state = .failed(reason: "closed")
        log.info("device: \(device.node) \"\(device.device)\" closed")
        announcements.device(isAdded: false, device, panel)
    }

    private func finishChange() {
        publishSubjects()
        service.show()
    }

    /// Gives the server the gestures of all panels; must be called after panels were added, removed or changed.
    func publishSubjects() {
        let current = store.current
        factory.statistics.tallies.forgetRegions(except: Set(current.regions.map { $0.id }))
        let shadowed = current.view(seesPrivate: true).hidden
        server.setSubjects(devices.numberSubjects(), hasPrivate: current.hasPrivateRegions, shadowed: shadowed) {
            let hidden = current.privateRegionIDs
            return current.regions.map { ServedRegion($0.name, isPrivate: hidden.contains($0.id)) }
        }
    }

    /// Logs each `[[device]]` that matches no device: a mistake, or a panel that is not plugged in.
    func warnAboutUnmatchedRules() {
        log.write(store.current.unmatchedRules(among: devices.attached.map { $0.description }))
    }

    /// Follows the log's level.
    func logLevelChanged() {
        for panel in devices.panels { factory.logTransitions(of: panel) }
    }

    /// Must be called at the end of each turn.
    func noteSeen() {
        for device in devices.attached { device.panel?.noteSeen() }
    }

    /// Checks what may go unreported: lost events of udev, changed axes, and grabs by other processes.
    func check() {
        if let monitor, monitor.isQuiet { monitor.rescanIfChanged() }
        for panel in devices.panels {
            panel.checkAxes()
            panel.retryGrab()
            panel.checkForOtherGrab()
        }
    }

    /// Called after the machine has slept, and before anything that came after the sleep is read.
    func resume(sleptAfter time: Timestamp) {
        log.info("suspend: the machine has slept; what was under way is cancelled")
        for device in devices.attached { device.panel?.resume(sleptAfter: time) }
        // Panels may have been unplugged and plugged in.
        monitor?.rescan()
    }

    private func describe(_ setup: PanelSetup) -> String {
        let size = setup.size
        let pixels = "\(Int64(size.widthPixels.rounded()))x\(Int64(size.heightPixels.rounded())) px"
        let glass = "\(Int64(size.widthMillimeters.rounded()))x\(Int64(size.heightMillimeters.rounded())) mm"
        return "\(pixels), \(glass), \(counted(setup.touchProtocol.slotCount, "contact"))"
    }
}
