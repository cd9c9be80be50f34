// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// `[filter]`: the rules that decide which contacts are ignored.
struct FilterRule: Hashable, Sendable {
    /// The settings that are not lengths. Lengths are stored separately because they depend on the panel.
    private var settings = FilterSettings()
    private var maxTouch = FilterSettings().maxTouch.map { Length(number: $0, unit: .millimeters) }
    private var masks: [RectangleRule] = []

    static let keys: [Key<FilterRule>] = [
        Key("palm", \.settings.palmCancels) { $0.choice([("cancel", true), ("ignore", false)]) },
        Key("max_touch", \.maxTouch) { $0.unlessOff { $0.threshold(zero: false) } },
        Key("mask", \.masks) { $0.masks() },
        Key("max_contact_age", \.settings.maxContactAge) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1)) } },
        Key("storm", \.settings.storm) { $0.unlessOff { $0.storm() } },
        Key("bridge", \.settings.bridge) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1)) } },
    ]

    static let stormKeys: [Key<FilterSettings.Storm>] = [
        Key("contacts_per_second", \.contactsPerSecond) { $0.integer(1...10_000) },
        Key("quiet", \.quiet) { $0.interval(atLeast: .milliseconds(1)) },
    ]

    func resolved(_ panel: PanelSize) -> FilterSettings {
        let scale = LengthScale(panel: panel, parent: PixelBox(panel))
        var result = settings
        result.maxTouch = maxTouch.map { scale.millimeters($0) }
        result.masks = masks.map { $0.box(scale).rectangle(panel) }.filter { !$0.isEmpty }
        return result
    }
}

extension ValueReader {
    /// The maximum number of masks. Every contact that lands is compared with all of them.
    private static let mostMasks = 64

    fileprivate func masks() -> [RectangleRule]? {
        guard let values = array(of: "rectangles", each: "a mask") else { return nil }
        if values.count > Self.mostMasks {
            error(.tooMany, "\(name) has \(values.count) rectangles; use at most \(Self.mostMasks)")
        }
        return values.prefix(Self.mostMasks).compactMap { RectangleRule($0) }
    }

    fileprivate func storm() -> FilterSettings.Storm? {
        var storm = FilterSettings.Storm()
        table(FilterRule.stormKeys, into: &storm, name: name)
        return storm
    }
}
