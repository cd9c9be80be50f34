// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// `[filter]`, or `filter` of a device or a profile: the keys that the table sets for the rules that decide which contacts
/// are ignored.
struct FilterRule: Hashable, Sendable {
    /// The outer `nil` is a key that is not set, and the inner one is `"off"`.
    private var maxTouch: Length??
    private var maxContactAge: Interval??
    private var storm: FilterSettings.Storm??
    private var bridge: Interval??
    private var palmCancels: Bool?
    private var masks: [RectangleRule]?

    static let keys: [Key<FilterRule>] = [
        key("palm", \.palmCancels) { $0.choice([("cancel", true), ("ignore", false)]) },
        key("max_touch", \.maxTouch) { $0.unlessOff { $0.threshold(zero: false) } },
        key("mask", \.masks) { $0.masks() },
        key("max_contact_age", \.maxContactAge) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1)) } },
        key("storm", \.storm) { $0.unlessOff { $0.storm() } },
        key("bridge", \.bridge) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1)) } },
    ]

    /// Declares a key that sets one property, whose outer `nil` is a key that is not set.
    private static func key<Value>(
        _ name: String, _ property: any WritableKeyPath<Self, Value?> & Sendable,
        _ read: @escaping @Sendable (ValueReader) -> Value?
    ) -> Key<Self> {
        Key(name) { value, rule in
            value.noteStandard(standard[keyPath: property])
            if let result = read(value) { rule[keyPath: property] = result }
        }
    }

    /// The rule that sets each key to its default.
    private static var standard: Self {
        let settings = FilterSettings()
        var rule = Self()
        rule.maxTouch = .some(settings.maxTouch.map { Length(number: $0, unit: .millimeters) })
        (rule.maxContactAge, rule.storm, rule.bridge) = (settings.maxContactAge, settings.storm, settings.bridge)
        rule.palmCancels = settings.palmCancels
        return rule
    }

    static let stormKeys: [Key<FilterSettings.Storm>] = [
        Key("contacts_per_second", \.contactsPerSecond) { $0.integer(1...10_000) },
        Key("quiet", \.quiet) { $0.interval(atLeast: .milliseconds(1)) },
    ]

    /// Changes the settings of which this rule sets the keys.
    func apply(to settings: inout FilterSettings, on panel: PanelSize) {
        let scale = LengthScale(panel: panel, parent: PixelBox(panel))
        if let palmCancels { settings.palmCancels = palmCancels }
        if let maxTouch { settings.maxTouch = maxTouch.map { scale.millimeters($0) } }
        if let masks { settings.masks = masks.map { $0.box(scale).rectangle(panel) }.filter { !$0.isEmpty } }
        if let maxContactAge { settings.maxContactAge = maxContactAge }
        if let storm { settings.storm = storm }
        if let bridge { settings.bridge = bridge }
    }
}

extension ValueReader {
    /// The maximum number of masks. Every contact that lands is compared with all of them.
    private static let mostMasks = 64

    fileprivate func masks() -> [RectangleRule]? {
        array(of: "rectangles", each: "a mask", most: Self.mostMasks)?.compactMap { RectangleRule($0) }
    }

    fileprivate func storm() -> FilterSettings.Storm? {
        var storm = FilterSettings.Storm()
        table(FilterRule.stormKeys, into: &storm, name: name)
        return storm
    }
}
