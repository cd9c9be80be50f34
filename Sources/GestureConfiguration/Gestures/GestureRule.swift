// SPDX-License-Identifier: MIT
import GestureEngine

/// One gesture of a region as the configuration gives it.
package struct GestureRule: Hashable, Sendable {
    /// The user's label; by default the name of the type.
    package var name: String
    package var location: SourceLocation
    var type: GestureType
    /// Of the gesture itself, with what its type presets.
    var overrides: [GestureOverride]
    /// Names of gestures of the same region, which exist.
    var after: [String] = []
    var unless: [String] = []
    var exclusive = false

    /// The gesture with all layers applied, the outermost first.
    func resolved(_ layers: [GestureDefaults], _ scale: LengthScale) -> Gesture {
        let schema = type.schema
        let overrides = layers.flatMap { $0.overrides[schema.kind] ?? [] } + self.overrides
        var gesture = Gesture(name: name, word: type.rawValue, settings: schema.settings(overrides, scale))
        gesture.after = after
        gesture.unless = unless
        gesture.exclusive = exclusive
        return gesture
    }

    /// Lengths that the gesture itself gives.
    var lengths: [Length] { overrides.compactMap { $0.value as? Length } }

    /// Of a pattern; others have none.
    var steps: [PatternStepRule] { overrides.first { $0.key == "steps" }?.value as? [PatternStepRule] ?? [] }
}

/// One layer of settings for all gestures: `[defaults]`, or `defaults` of a device or a region. The layers of a
/// gesture are, each over the one before: `[defaults]`, the device's, those of the region's parents from the
/// outermost, the region's, and the gesture itself.
struct GestureDefaults: Hashable, Sendable {
    var overrides: [GestureKind: [GestureOverride]] = [:]
    /// How far outside its region a contact counts as having left.
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
