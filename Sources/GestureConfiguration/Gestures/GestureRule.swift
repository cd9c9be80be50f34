// SPDX-License-Identifier: MIT
import GestureEngine

/// One gesture of a region, as given in the configuration.
package struct GestureRule: Hashable, Sendable {
    /// The name that the user gave; by default the name of the type.
    package var name: String
    /// The identifier that says what the gesture does.
    var action: String?
    package var location: SourceLocation
    var type: GestureType
    /// The settings of the gesture itself, including those that its type implies.
    var overrides: [GestureOverride]
    /// Names of existing gestures of the same region.
    var after: [String] = []
    var unless: [String] = []
    var exclusive = false
    var consumes = false

    /// Returns the gesture with all layers applied, the outermost first.
    func resolved(_ layers: [GestureDefaults], _ scale: LengthScale) -> Gesture {
        let schema = type.schema
        let overrides = layers.flatMap { $0.overrides[schema.kind] ?? [] } + self.overrides
        var gesture = Gesture(name: name, word: type.word, settings: schema.settings(overrides, scale))
        gesture.action = action
        gesture.after = after
        gesture.unless = unless
        gesture.exclusive = exclusive
        gesture.consumes = consumes
        return gesture
    }

    /// The lengths in the gesture's own settings.
    var lengths: [Length] { overrides.compactMap { $0.value as? Length } }

    /// The steps of a pattern; empty for other gestures.
    var steps: [PatternStepRule] { overrides.first { $0.key == "steps" }?.value as? [PatternStepRule] ?? [] }
}

/// One layer of settings for all gestures: `[defaults]`, or `defaults` of a device, a region or a profile. Later layers
/// override earlier ones in this order: `[defaults]`, the device, the region's parents from the outermost, the
/// region, the profile in force, the gesture.
struct GestureDefaults: Hashable, Sendable {
    var overrides: [GestureKind: [GestureOverride]] = [:]
    /// The distance from its region beyond which a contact has left the region.
    var leave: Length?

    static let keys: [Key<GestureDefaults>] =
        GestureType.kinds.filter { !$0.schema.defaultKeys.isEmpty }.map { type in
            let schema = type.schema
            return Key(type.rawValue) { value, defaults in
                var overrides: [GestureOverride] = []
                value.table(schema.defaultKeys, into: &overrides)
                if !overrides.isEmpty { defaults.overrides[schema.kind] = overrides }
            }
        } + [Key("leave") { $0.table(leaveKeys, into: &$1) }]

    static let leaveKeys: [Key<GestureDefaults>] = [Key("outside", \.leave) { $0.threshold() }]
}

/// A key of a gesture, with its value in one layer of the configuration.
struct GestureOverride: Hashable, Sendable {
    let key: String
    /// A value of the type that the key's reader returns.
    let value: any Hashable & Sendable

    static func == (a: Self, b: Self) -> Bool { a.key == b.key && AnyHashable(a.value) == AnyHashable(b.value) }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(AnyHashable(value))
    }
}

/// The declaration of one key of a gesture: how its value is read, and which property of the engine's settings it sets.
/// The property is set separately for each panel, because lengths depend on the panel.
struct GestureKey<Settings>: Sendable {
    typealias Property<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// The key, whose reader appends an override with the value.
    let key: Key<[GestureOverride]>
    let apply: @Sendable (GestureOverride, LengthScale, inout Settings) -> Void
    /// Whether `[defaults]` may contain the key.
    private(set) var hasDefault = true

    /// Declares a key whose value is stored unchanged.
    init<Value: Hashable & Sendable>(
        _ name: String, _ property: Property<Value>, _ read: @escaping @Sendable (ValueReader) -> Value?
    ) {
        self.init(name, property, read) { value, _ in value }
    }

    /// Declares a key whose value is a length, which is stored in millimetres.
    init(_ name: String, _ property: Property<Double>, _ read: @escaping @Sendable (ValueReader) -> Length?) {
        self.init(name, property, read) { length, scale in scale.millimeters(length) }
    }

    init<Given: Hashable & Sendable, Value>(
        _ name: String, _ property: Property<Value>, _ read: @escaping @Sendable (ValueReader) -> Given?,
        convert: @escaping @Sendable (Given, LengthScale) -> Value
    ) {
        key = Key(name) { value, overrides in
            if let given = read(value) { overrides.append(GestureOverride(key: name, value: given)) }
        }
        apply = { override, scale, settings in
            if let given = override.value as? Given { settings[keyPath: property] = convert(given, scale) }
        }
    }

    /// A copy of the key that `[defaults]` does not accept, because the key defines the nature of a gesture.
    var withoutDefault: Self {
        var key = self
        key.hasDefault = false
        return key
    }
}
