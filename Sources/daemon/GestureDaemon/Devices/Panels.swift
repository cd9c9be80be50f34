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

/// Opens and closes panels as devices are added, changed and removed, and when the configuration changes.
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

    /// Opens the existing panels. From now on, panels that are added are opened as well.
    func start() {
        publishSubjects()
        twins.addStored()
        factory.memories.load()
        do throws(SystemError) {
            let monitor = try DeviceMonitor(loop: factory.loop)
            self.monitor = monitor
            try monitor.start(delegate: self)
        } catch {
            log.error("device: \(error); new panels may take up to 30 s to be detected; check that udev is running")
        }
    }

    /// Closes all panels. Their twins are removed by `end()`, which may wait for a while.
    func stop() {
        for device in devices.attached { device.panel?.close(.disabled) }
        factory.memories.end()
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
        // A reload may already have opened a lost device again.
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
        close(device, .deviceRemoved, .replug)
        devices.attached.removeAll { $0 === device }
        finishChange()
    }

    func deviceMonitor(_ monitor: DeviceMonitor, changed discovered: DiscoveredDevice) {
        if let device = devices.device(at: discovered.systemPath) {
            device.update(discovered)
            device.panel?.checkAxes()
            return applyRules(to: device)
        }
        // A changed udev rule may declare the device a touchscreen.
        guard let index = devices.unopened.firstIndex(where: { $0.systemPath == discovered.systemPath }) else { return }
        devices.unopened.remove(at: index)
        if !deviceMonitor(monitor, found: discovered) { monitor.tryAgain(discovered) }
    }

    func deviceMonitorDisplaysChanged(_ monitor: DeviceMonitor) { factory.displays.displaysChanged() }

    /// Applies changed udev properties, such as a calibration, a seat or access rights, which may require reopening
    /// the panel.
    private func applyRules(to device: AttachedDevice) {
        switch device.state {
        case .ready(let panel):
            guard case .ready(let setup) = devices.decision(for: device),
                setup.differsOnlyInRegions(from: panel.pipeline.setup)
            else { reopen(device, .reload, .reopening); break }
            if setup.regions == panel.pipeline.setup.regions { return }
            panel.replaceRegions(setup)
        case .failed: openNowOrSoon(device)
        case .refused, .ignored:
            guard case .ready = devices.decision(for: device) else { return }
            openNowOrSoon(device)
        }
        finishChange(of: device)
    }

    /// Closes a device and opens it with the current configuration.
    func reopen(_ device: AttachedDevice, _ reason: CancelReason = .reload, _ ending: Lasting.Ending = .reload) {
        close(device, reason, ending)
        openNowOrSoon(device)
    }

    func replaceOutput(of panel: Panel, _ setup: PanelSetup) {
        panel.replaceOutput(setup)
        panel.pipeline.touchMap = factory.statistics.touchMap(for: setup)
        let rotation = setup.output.rotation.rawValue
        log.info("device: \"\(setup.device)\" has another output: \(setup.summary), rotation \(rotation)")
    }

    /// Opens devices whose addition was missed, and devices that only the new configuration uses.
    func findNew() {
        // Rescans only if something has changed, because listing all devices with udev takes milliseconds.
        monitor?.rescanIfChanged()
        for discovered in devices.unopened.filter({ devices.isCandidate($0.description) }) {
            devices.unopened.removeAll { $0.systemPath == discovered.systemPath }
            let device = AttachedDevice(discovered)
            devices.attached.append(device)
            openNowOrSoon(device)
        }
    }

    /// Opens a device, and schedules another attempt if that fails.
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
        // Whether the device is not a touchscreen and no [[device]] names it.
        let isForeign =
            !DeviceKind.touchscreen.isSet(in: description.udev)
            && store.current.rule(for: description)?.match.isSpecific != true
        if remedy != nil, isForeign {
            device.state = .refused(reason: reason)
            return log.info("device: \(device.node) refused: \(reason)")
        }
        // A reason is logged only once, because opening is retried repeatedly.
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
            log.info("device: \(label) is \"\(setup.device)\", \(setup.summary)")
            // The server must know the panel's gestures before it receives the panel's first line.
            publishSubjects()
            announcements.device(.added, device, panel)
            panel.landMissed()
        }
    }

    /// Logs the configuration warnings about this panel's regions. A reload logs the warnings for all panels together.
    private func warnAboutRegions(of device: AttachedDevice) {
        log.write(device.panel?.pipeline.setup.diagnostics ?? [])
    }

    private func handle(_ event: PanelEvent, of device: AttachedDevice) {
        let label = "\(device.node) \"\(device.device)\""
        switch event {
        case .lost:
            // This is handled like a removal reported by udev, which follows if the device is gone.
            close(device, .deviceRemoved, .reopening)
            device.state = .failed(reason: "lost while reading")
            monitor?.tryAgain(device.discovered)
            finishChange()
        case .axesChanged:
            log.info("device: \(label): the ranges of its axes have changed; reopened")
            reopen(device, .syncLost, .reopening)
            finishChange(of: device)
        case .grabbed(let again):
            factory.memories.noteGrab()
            if again, let panel = device.panel { announcements.device(.grabbed, device, panel) }
            log.info("device: \(label) grabbed: no other program receives its touches")
        case .givenBack:
            factory.memories.noteGrab()
            if let panel = device.panel { announcements.device(.givenBack, device, panel) }
            log.warning("device: \(label) given back: five fingers rested on it; a scene or a reload grabs it again")
        case .grabbedElsewhere:
            log.warning(
                "device: \(label): another process has grabbed it: no touches are received until it is released")
        case .grabFailed(let code):
            let error = SystemError(call: "EVIOCGRAB", code: code, path: device.node)
            log.warning("device: \(label) cannot be grabbed: \(error)")
        case .twinMade(let descriptor, let node):
            twins.store(descriptor, of: device)
            log.info("device: \(label) is shared: applications read \(node ?? "its twin")")
        case .twinEnds(let twin):
            twins.add(twin, of: device)
        case .notShared(let reason):
            log.warning("device: \(label) is not shared; all programs keep receiving its touches: \(reason)")
        }
    }

    /// Records that a panel is about to be grabbed again.
    func noteGrab() { factory.memories.noteGrab() }

    /// - Parameter ending: what has ended the panel, for what outlives it.
    private func close(_ device: AttachedDevice, _ reason: CancelReason, _ ending: Lasting.Ending) {
        guard let panel = device.panel else { return }
        panel.close(reason)
        factory.statistics.keepCounts(of: panel)
        factory.memories.keep(panel, of: device, after: ending)
        device.state = .failed(reason: "closed")
        log.info("device: \(device.node) \"\(device.device)\" closed")
        announcements.device(.removed, device, panel)
    }

    private func finishChange(of device: AttachedDevice? = nil) {
        if let device { warnAboutRegions(of: device) }
        publishSubjects()
        service.show()
    }

    /// Gives the server the current gestures of all panels. Call this after panels have been added, removed or changed.
    func publishSubjects() {
        let current = store.current
        factory.statistics.tallies.forgetRegions(except: Set(current.regions.map { $0.id }))
        let shadowed = current.view(seesPrivate: true).hidden
        server.setSubjects(devices.numberSubjects(), hasPrivate: current.hasPrivateRegions, shadowed: shadowed) {
            let hidden = current.privateRegionIDs
            return current.regions.map { ServedRegion($0.name, isPrivate: hidden.contains($0.id)) }
        }
    }

    /// Logs each `[[device]]` that matches no device: it has a mistake, or its panel is not plugged in.
    func warnAboutUnmatchedRules() {
        log.write(store.current.unmatchedRules(among: devices.attached.map { $0.description }))
    }

    func logLevelChanged() { for panel in devices.panels { factory.logTransitions(of: panel) } }

    /// Stores what the next process needs to know about the panels. Call this at the end of each turn.
    func noteSeen() {
        for device in devices.attached { device.panel?.noteSeen() }
        factory.memories.save()
    }

    /// Checks for changes that may not have been reported, such as devices whose udev events were lost.
    func check() {
        if let monitor, monitor.isQuiet { monitor.rescanIfChanged() }
        for panel in devices.panels { panel.check() }
    }

    /// Handles the end of a sleep. Call this before any later event is read.
    func resume(sleptAfter time: Timestamp) {
        log.info("suspend: the machine has slept; all gestures are cancelled")
        for device in devices.attached { device.panel?.resume(sleptAfter: time) }
        // Panels may have been unplugged or plugged in during the sleep.
        monitor?.rescan()
    }
}
