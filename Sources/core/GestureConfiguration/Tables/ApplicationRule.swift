// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
import GestureProtocol
package import TouchSharing

/// `application` of a device, a scene or a profile: the keys that a file sets for the filter of applications.
struct ApplicationRule: Hashable, Sendable {
    /// The outer `nil` is a key that is not set, and the inner one is `"off"`.
    private var maxContacts: Int??
    private var filter: Bool?
    private var minGap: Interval??
    private var bounceDistance: Length?
    private var maxHold: Interval??
    private var bridge: Bool?
    /// The longest `min_gap`. `LiftLog` has room for the lifts of a second, unless more contacts land than `storm`
    /// allows by default.
    private static let longestGap = Interval.milliseconds(1000)
    /// The `bounce_distance` in millimetres beyond which a landing may come from another hand.
    private static let widestBounce = 100.0

    /// The limits of `max_hold`: a quick tap, and longer than any program waits for a long press.
    private static let (shortestHold, longestHold) = (Interval.milliseconds(100), Interval.milliseconds(5000))
    /// The pixels by which a finger may move at least without ending a long press of the application. GTK allows 8 and
    /// Chromium 15, more than 5 mm on a large screen.
    private static let holdPixels = Length(number: 16, unit: .pixels)

    /// The location of each key that is set.
    private var locations: [String: SourceLocation] = [:]

    static let keys: [Key<ApplicationRule>] = [
        key("max_contacts", \.maxContacts) {
            $0.unlessOff { $0.integer(1...Int64(Admission.maximumSlots)).map { Int($0) } }
        },
        key("filter", \.filter) { $0.boolean() },
        key("min_gap", \.minGap) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1), atMost: longestGap) } },
        key("bounce_distance", \.bounceDistance) { $0.threshold(zero: false) },
        key("max_hold", \.maxHold) { $0.unlessOff { $0.interval(atLeast: shortestHold, atMost: longestHold) } },
        key("bridge", \.bridge) { $0.boolean() },
    ]

    private static func key<Value>(
        _ name: String, _ property: any WritableKeyPath<Self, Value?> & Sendable,
        _ read: @escaping @Sendable (ValueReader) -> Value?
    ) -> Key<Self> {
        Key(name) { value, rule in
            value.noteStandard(standard[keyPath: property])
            guard let result = read(value) else { return }
            rule[keyPath: property] = result
            rule.locations[name] = value.sink.location(of: value.value.range)
        }
    }

    /// The rule that sets each key to its default.
    private static var standard: Self {
        let settings = ApplicationFilter()
        var rule = Self()
        (rule.maxContacts, rule.minGap, rule.maxHold) = (settings.maxContacts, settings.minGap, settings.maxHold)
        (rule.filter, rule.bridge) = (settings.filter, settings.bridge)
        rule.bounceDistance = Length(number: settings.bounceDistance, unit: .millimeters)
        return rule
    }

    private static func isWide(_ distance: Length, on panel: PanelSize) -> Bool {
        LengthScale(panel: panel, parent: PixelBox(panel)).millimeters(distance) > widestBounce
    }

    var isEmpty: Bool { locations.isEmpty }

    /// The location of the first key.
    var location: SourceLocation? { locations.values.min { ($0.line, $0.column) < ($1.line, $1.column) } }

    /// Changes the settings of which this rule sets the keys.
    func apply(to settings: inout ApplicationFilter, _ scale: LengthScale) {
        if let maxContacts { settings.maxContacts = maxContacts }
        if let filter { settings.filter = filter }
        if let minGap { settings.minGap = minGap }
        if let bounceDistance { settings.bounceDistance = scale.millimeters(bounceDistance) }
        if let maxHold {
            settings.maxHold = maxHold
            settings.holdSlop = max(ApplicationFilter().holdSlop, scale.millimeters(Self.holdPixels))
        }
        if let bridge { settings.bridge = bridge }
    }

    /// Warns about keys that have no effect.
    /// - Parameters:
    ///   - owner: the name of the table around this one.
    ///   - panels: the panels to which the rule applies.
    ///   - others: the other rules that apply to the same panels.
    func check(
        _ owner: String, _ panels: [(size: PanelSize, filter: FilterSettings)], with others: [ApplicationRule],
        _ sink: DiagnosticSink
    ) {
        let filters = panels.map { $0.filter }
        let needsGap = minGap.flatMap { $0 } == nil && !others.contains { $0.minGap.flatMap { $0 } != nil }
        if let location = locations["bounce_distance"], needsGap {
            sink.warning(.noEffect, "bounce_distance of \(owner) has no effect without min_gap", at: location)
        } else if let location = locations["bounce_distance"], let bounceDistance,
            panels.contains(where: { Self.isWide(bounceDistance, on: $0.size) })
        {
            sink.warning(
                .tooLong,
                "bounce_distance of \(owner) also hides what another hand touches; use \(plain(Self.widestBounce))mm or less",
                at: location)
        }
        if let location = locations["bridge"], bridge == true, filters.allSatisfy({ $0.bridge == nil }) {
            sink.warning(
                .noEffect, "bridge of \(owner) has no effect; set the time with bridge in [filter] too", at: location)
        }
        if let location = locations["filter"], filter == true, filters.allSatisfy({ !$0.hidesContacts }) {
            sink.warning(.noEffect, "filter of \(owner) has no effect: [filter] hides no contacts", at: location)
        }
    }
}

extension FilterSettings {
    fileprivate var hidesContacts: Bool {
        palmCancels || maxTouch != nil || !masks.isEmpty || maxContactAge != nil || storm != nil
    }
}

extension Configuration {
    /// Returns the filter for the application behind a panel in the current scene, with the profile in force.
    /// - Parameter rule: the `[[device]]` of the panel.
    package func application(for panel: PanelSize, rule: DeviceRule?) -> ApplicationFilter {
        let scale = LengthScale(panel: panel, parent: PixelBox(panel))
        var settings = ApplicationFilter()
        rule?.application.apply(to: &settings, scale)
        scenes.first { $0.id == runtime.scene }?.application.apply(to: &settings, scale)
        profile?.application.apply(to: &settings, scale)
        return settings
    }

    /// Warns about keys of the application's filter that have no effect.
    func checkApplication(_ sink: DiagnosticSink) {
        let shared = devices.filter { $0.share == .forward && !$0.ignore }
        let written = profiles.filter { !ProfileRule.shipped.contains($0) }
        let others: [(name: String, profile: String?, application: ApplicationRule)] =
            scenes.map { ("scene \"\($0.id)\"", nil, $0.application) }
            + written.map { ("profile \"\($0.id)\"", $0.id, $0.application) }
        for device in devices where !device.application.isEmpty && !device.ignore {
            let owner = "application of device \"\(device.id)\""
            guard device.share == .forward else {
                if let location = device.application.location {
                    sink.warning(.noEffect, "\(owner) has no effect without share = \"forward\"", at: location)
                }
                continue
            }
            device.application.check(
                owner, [nominalFilter(for: device)], with: others.map { $0.application }, sink)
        }
        for (name, profile, application) in others {
            guard let location = application.location else { continue }
            let owner = "application of \(name)"
            guard !shared.isEmpty else {
                sink.warning(.noEffect, "\(owner) has no effect: no [[device]] has share = \"forward\"", at: location)
                continue
            }
            var inForce = self
            if let profile { inForce.runtime.profile = profile }
            let panels = shared.map { inForce.nominalFilter(for: $0) }
            // A profile may be in force in any scene.
            let beside = shared.map { $0.application } + (profile == nil ? [] : scenes.map { $0.application })
            application.check(owner, panels, with: beside, sink)
        }
    }

    private func nominalFilter(for rule: DeviceRule) -> (size: PanelSize, filter: FilterSettings) {
        let size = nominalPanel(for: rule).size
        return (size, filter(for: size, rule: rule))
    }
}
