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

/// Devices that are added, changed and removed.
extension Daemon: DeviceMonitorDelegate {
    func deviceMonitor(_ monitor: DeviceMonitor, found discovered: DiscoveredDevice) -> Bool {
        let known = devices.first { $0.discovered.systemPath == discovered.systemPath }
        // Mice and keyboards are not opened.
        guard known != nil || isCandidate(discovered.description) else {
            unopenedDevices.append(discovered)
            return true
        }
        // A reload may have opened a lost device before it was tried again.
        if known?.panel != nil { return true }
        let device = known ?? AttachedDevice(discovered)
        if known == nil { devices.append(device) }
        open(device)
        warnAboutRegions(of: device)
        showStatus()
        if case .failed = device.state { return false }
        return true
    }

    func deviceMonitor(_ monitor: DeviceMonitor, lost discovered: DiscoveredDevice) {
        unopenedDevices.removeAll { $0.systemPath == discovered.systemPath }
        guard let index = devices.firstIndex(where: { $0.discovered.systemPath == discovered.systemPath })
        else { return }
        close(devices[index], .deviceRemoved)
        devices.remove(at: index)
        finishChange()
    }

    func deviceMonitor(_ monitor: DeviceMonitor, changed discovered: DiscoveredDevice) {
        if let device = devices.first(where: { $0.discovered.systemPath == discovered.systemPath }) {
            device.update(discovered)
            device.panel?.checkAxes()
            return applyRules(to: device)
        }
        // A rule may have made a touchscreen of it.
        guard let index = unopenedDevices.firstIndex(where: { $0.systemPath == discovered.systemPath }) else { return }
        unopenedDevices.remove(at: index)
        if !deviceMonitor(monitor, found: discovered) { tryAgain(discovered) }
    }

    /// Applies changed udev properties, which may make another panel of it: a calibration, a seat, access rights.
    private func applyRules(to device: AttachedDevice) {
        switch device.state {
        case .ready(let panel):
            guard case .ready(let setup) = decision(for: device),
                setup.differsOnlyInRegions(from: panel.pipeline.setup)
            else { reopen(device); break }
            if setup.regions == panel.pipeline.setup.regions { return }
            panel.replaceRegions(setup)
        case .failed: openNowOrSoon(device)
        case .refused, .ignored:
            guard case .ready = decision(for: device) else { return }
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

    /// Opens devices that only the new configuration asks for.
    func openNewCandidates() {
        for discovered in unopenedDevices.filter({ isCandidate($0.description) }) {
            unopenedDevices.removeAll { $0.systemPath == discovered.systemPath }
            let device = AttachedDevice(discovered)
            devices.append(device)
            openNowOrSoon(device)
        }
    }

    /// Whether to open a device: one with touch input, or one that a `[[device]]` names.
    func isCandidate(_ description: DeviceDescription) -> Bool {
        if store.current.rule(for: description)?.match.isSpecific == true { return true }
        return ["ID_INPUT_TOUCHSCREEN", "ID_INPUT_TOUCHPAD", "ID_INPUT_TABLET"].contains {
            description.udev[$0] == "1"
        }
    }

    /// What the configuration makes of a device that was opened.
    ///
    /// Where one `[[device]]` matches several, the first has its name, and the others have its name and their own, so that
    /// clients can distinguish them.
    ///
    /// - Parameter prepared: may have made it already, or a layout like the one that it needs.
    func decision(for device: AttachedDevice, _ prepared: PreparedPanels? = nil) -> PanelDecision {
        let systemPath = device.discovered.systemPath
        let made = prepared?.decision(for: systemPath, device.description, with: store.current.runtime)
        let decision =
            made
            ?? PanelDecision(
                device.description, store.current, fallbackName: device.fallbackName,
                since: prepared?.layout(of: systemPath) ?? device.panel?.pipeline.setup.layout)
        guard case .ready(var setup) = decision else { return decision }
        setup.hidesPrivate = store.hidesPrivate
        let name = setup.device
        guard devices.contains(where: { $0 !== device && $0.panel?.pipeline.setup.device == name }) else {
            return .ready(setup)
        }
        setup.device = "\(name)@\(device.fallbackName)"
        let path = device.description.udev["ID_PATH"] ?? "?"
        setup.warnings.append(
            "another panel is \"\(name)\" already, so this one is \"\(setup.device)\"; a [[device]] of its own with "
                + "match = { path = \"\(path)\" } tells them apart")
        return .ready(setup)
    }

    /// Opens a device, and tries again later if that fails.
    private func openNowOrSoon(_ device: AttachedDevice) {
        open(device)
        if case .failed = device.state { tryAgain(device.discovered) }
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
        switch decision(for: device) {
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
            let daemon = Unmanaged.passUnretained(self)
            let attached = Unmanaged.passUnretained(device)
            let panel = Panel(
                setup, input: input, identifiers: identifiers, server: server,
                seen: SeenContacts(of: device.discovered.systemPath, named: device.fallbackName),
                sharingRefusal: { [crashGuard] in crashGuard.refusal() }
            ) {
                daemon.takeUnretainedValue().handle($0, of: attached.takeUnretainedValue())
            }
            try panel.start(loop)
            PanelPipeline.warmUp(setup)
            panel.pipeline.interest = server.interest
            panel.pipeline.idle = idle
            panel.pipeline.tallies = tallies
            panel.pipeline.touchMap = touchMap(for: panel)
            logTransitions(of: panel)
            device.state = .ready(panel)
            for warning in setup.warnings { log.warning("device: \(label): \(warning)") }
            log.info("device: \(label) is \"\(setup.device)\", \(describe(setup))")
            // The server must know its gestures before the first line.
            subjectsChanged()
            broadcast { EventLines.device(.added, device, panel, into: &$0) }
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
            tryAgain(device.discovered)
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
            notifier.store(descriptor, name: Self.storedTwins + device.fallbackName)
            log.info("device: \(label) is shared: applications read \(node ?? "its twin")")
        case .twinEnds(let twin):
            notifier.forget(name: Self.storedTwins + device.fallbackName)
            retire(twin)
        case .notShared(let reason):
            log.warning("device: \(label) is not shared, so that everybody gets its touches: \(reason)")
        }
    }

    /// What the names of twins in the service manager's store begin with.
    private static let storedTwins = "twin-"

    /// Lifts the contacts on twins that a process has left behind which did not end well, and removes them.
    func retireStoredTwins() {
        StoredDescriptors.take(prefix: Self.storedTwins) { descriptor, name in
            retire(PanelTwin(stored: descriptor))
            notifier.forget(name: name)
            log.info("device: the contacts on \(name) of the process before have lifted")
        }
    }

    /// Removes a twin once applications have read its last lifts.
    private func retire(_ twin: PanelTwin) {
        retiredTwins.append((twin, MonotonicClock.now() + PanelTwin.removalDelay))
    }

    /// To be called when their time may have come.
    func removeRetiredTwins() {
        guard !retiredTwins.isEmpty else { return }
        let now = MonotonicClock.now()
        retiredTwins.removeAll { $0.until <= now }
    }

    /// Before the process ends, which removes them.
    func awaitRetiredTwins() {
        guard let last = retiredTwins.map({ $0.until }).max() else { return }
        usleep(UInt32(clamping: max(0, last - MonotonicClock.now())))
        retiredTwins = []
    }

    private func close(_ device: AttachedDevice, _ reason: CancelReason) {
        guard let panel = device.panel else { return }
        panel.close(reason)
        pastCounts[panel.pipeline.setup.device, default: PanelCounts()].add(panel)
        device.state = .failed(reason: "closed")
        log.info("device: \(device.node) \"\(device.device)\" closed")
        broadcast { EventLines.device(.removed, device, panel, into: &$0) }
    }

    private func finishChange() {
        subjectsChanged()
        showStatus()
    }

    private func describe(_ setup: PanelSetup) -> String {
        let size = setup.size
        let pixels = "\(Int64(size.widthPixels.rounded()))x\(Int64(size.heightPixels.rounded())) px"
        let glass = "\(Int64(size.widthMillimeters.rounded()))x\(Int64(size.heightMillimeters.rounded())) mm"
        return "\(pixels), \(glass), \(counted(setup.touchProtocol.slotCount, "contact"))"
    }
}
