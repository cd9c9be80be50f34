// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureConfiguration
package import GestureEngine

/// What one device becomes under one configuration: everything a panel is made of.
package struct PanelSetup: Hashable, Sendable {
    /// The name that the wire carries.
    package var device: String
    package var description: DeviceDescription
    package var touchProtocol: TouchProtocol
    package var output: OutputSettings
    package var mapping: AxisMapping
    package var filter: FilterSettings
    package var regions: [Region]
    package var arbitration: ArbitrationSettings
    /// Take the device for the daemon alone (`EVIOCGRAB`).
    package var isGrabbed: Bool
    /// What the operator should know; without the device's name.
    package var warnings: [String]
    /// What is odd about the configuration on this panel.
    package var diagnostics: [Diagnostic]

    package var size: PanelSize { mapping.panelSize }

    /// Whether a panel set up like `other` differs in nothing but its regions
    /// and what holds between their gestures. What udev says of it counts by what it makes of the rest only.
    package func differsOnlyInRegions(from other: Self) -> Bool {
        var candidate = self
        candidate.description.udev = other.description.udev
        candidate.regions = other.regions
        candidate.arbitration = other.arbitration
        candidate.warnings = other.warnings
        candidate.diagnostics = other.diagnostics
        return candidate == other
    }
}

/// What the configuration makes of a device.
package enum PanelDecision: Hashable, Sendable {
    case ready(PanelSetup)
    /// The device cannot be used; `reason` says why and what can be done.
    case refused(device: String, reason: String)
    /// The configuration says so.
    case ignored(device: String, reason: String)

    /// - Parameter fallbackName: the device's name on the wire if no `[[device]]` matches it.
    package init(_ description: DeviceDescription, _ configuration: Configuration, fallbackName: String) {
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
            let output = rule?.output ?? OutputSettings()
            let mapping = AxisMapping(description, output: output)
            let size = mapping.panelSize
            let layout = configuration.regions(
                for: size, rule: rule, name: device, isSizeKnown: mapping.isSizeKnown)
            self = .ready(
                PanelSetup(
                    device: device, description: description, touchProtocol: touchProtocol, output: output,
                    mapping: mapping, filter: configuration.filter(for: size),
                    regions: layout.regions, arbitration: configuration.arbitration, isGrabbed: rule?.grab ?? false,
                    warnings: warnings + mapping.warnings,
                    diagnostics: layout.diagnostics))
        }
    }
}
