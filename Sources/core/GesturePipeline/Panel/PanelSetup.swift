// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureConfiguration
package import GestureEngine
package import TouchSharing

/// The settings of a panel: the result of applying the configuration to a device.
package struct PanelSetup: Hashable, Sendable {
    /// The id of the panel on the wire.
    package var device: String
    package var description: DeviceDescription
    package var touchProtocol: TouchProtocol
    package var output: OutputSettings
    package var mapping: AxisMapping
    package var filter: FilterSettings
    package var regions: [Region]
    package var arbitration: ArbitrationSettings
    /// Determines which other programs receive the touches of the panel.
    package var share = PanelShare.listen
    /// Determines how a contact ends for the application when a gesture takes it.
    package var cancel = TouchCancel.lift
    /// Hides contacts from the application. It depends on the scene.
    package var application = ApplicationFilter()
    /// The guard against touches that wake the display; `nil` if there is none.
    package var wake: WakeSettings?
    /// The time after which five fingers give the panel back to the application; `nil`: they do not.
    package var fiveFingers: Interval? = FiveFingerHold.usualTime
    /// Warnings for the operator, without the device's name.
    package var warnings: [String]
    /// The layout that the regions came from, with its warnings.
    package var layout: PanelLayout

    /// Problems of the configuration on this panel.
    package var diagnostics: [Diagnostic] { layout.diagnostics }
    package var size: PanelSize { mapping.panelSize }

    /// Whether both differ only in the regions, the rules between their gestures and the application's filter. udev's properties are compared
    /// only by their effect on other settings.
    package func differsOnlyInRegions(from other: Self) -> Bool {
        var candidate = self
        candidate.description.udev = other.description.udev
        candidate.regions = other.regions
        candidate.arbitration = other.arbitration
        candidate.application = other.application
        candidate.warnings = other.warnings
        candidate.layout = other.layout
        return candidate == other
    }
}

extension PanelSetup {
    /// Creates the setup of a configured panel without a device. Its regions can be examined, but it receives no
    /// touches.
    /// - Parameter size: overrides the size from the rule.
    package init(nominal configuration: Configuration, rule: DeviceRule?, size: PanelSize? = nil) {
        let nominal = configuration.nominalPanel(for: rule)
        let (size, isSizeKnown) = (size ?? nominal.size, size != nil || nominal.isSizeKnown)
        let device = rule?.id ?? "panel"
        let description = DeviceDescription()
        var output = rule?.output ?? OutputSettings()
        output.sizePixels = .init(width: size.widthPixels, height: size.heightPixels)
        output.sizeMillimeters = .init(width: size.widthMillimeters, height: size.heightMillimeters)
        let layout = configuration.layout(for: size, rule: rule, name: device, isSizeKnown: isSizeKnown)
        self.init(
            device: device, description: description, touchProtocol: .singleTouch, output: output,
            mapping: AxisMapping(description, output: output), filter: configuration.filter(for: size, rule: rule),
            regions: layout.regions, arbitration: configuration.arbitration, warnings: [],
            layout: layout)
    }
}

/// The result of applying the configuration to a device.
package enum PanelDecision: Hashable, Sendable {
    case ready(PanelSetup)
    /// The device cannot be used. `reason` states why and what to do.
    case refused(device: String, reason: String)
    /// The configuration ignores the device.
    case ignored(device: String, reason: String)

    /// Applies a configuration to a device.
    /// - Parameters:
    ///   - fallbackName: the id of the panel on the wire if no `[[device]]` matches it.
    ///   - name: the name for which a client may have set an output; `nil` uses the id of the panel on the wire.
    package init(
        _ description: DeviceDescription, _ configuration: Configuration, fallbackName: String,
        outputOf name: String? = nil
    ) {
        let rule = configuration.rule(for: description)
        let device = rule?.id ?? fallbackName
        if let rule, rule.ignore {
            self = .ignored(device: device, reason: "ignore = true in [[device]] \"\(rule.id)\"")
            return
        }
        switch Admission.decide(description, matchedByConfiguration: rule?.match.isSpecific ?? false) {
        case .refused(let reason):
            self = .refused(device: device, reason: reason)
        case .accepted(let touchProtocol, let warnings):
            let change = configuration.outputChange(for: description, named: name ?? device)
            let output = (rule?.output ?? OutputSettings()).applying(change)
            let mapping = AxisMapping(description, output: output)
            let size = mapping.panelSize
            let layout = configuration.layout(
                for: size, rule: rule, name: device, isSizeKnown: mapping.isSizeKnown)
            var setup = PanelSetup(
                device: device, description: description, touchProtocol: touchProtocol, output: output,
                mapping: mapping, filter: configuration.filter(for: size, rule: rule), regions: layout.regions,
                arbitration: configuration.arbitration, warnings: warnings + mapping.warnings, layout: layout)
            setup.application = configuration.application(for: size, rule: rule)
            if let rule {
                (setup.share, setup.cancel, setup.wake) = (rule.share, rule.cancel, rule.wake)
                setup.fiveFingers = rule.fiveFingers
            }
            self = .ready(setup)
        }
    }
}
