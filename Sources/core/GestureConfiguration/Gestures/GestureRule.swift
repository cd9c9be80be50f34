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
        let overrides = layers.flatMap { $0.overrides[type.kind] ?? [] } + self.overrides
        var gesture = Gesture(name: name, word: type.word, settings: type.kind.row.settings(overrides, scale))
        gesture.action = action
        gesture.after = after
        gesture.unless = unless
        gesture.exclusive = exclusive
        gesture.consumes = consumes
        return gesture
    }

    /// The lengths in the gesture's own settings.
    var lengths: [Length] {
        overrides.compactMap { if case .length(let length) = $0.value { length } else { nil } }
    }

    /// The steps of a pattern; empty for other gestures.
    var steps: [PatternStepRule] {
        guard case .steps(let steps)? = overrides.last(where: { $0.key == "steps" })?.value else { return [] }
        return steps
    }
}

/// One layer of settings for all gestures: `[defaults]`, or `defaults` of a device, a region or a profile. Later layers
/// override earlier ones in this order: `[defaults]`, the device, the region's parents from the outermost, the
/// region, the profile in force, the gesture.
struct GestureDefaults: Hashable, Sendable {
    var overrides: [GestureKind: [GestureOverride]] = [:]
    /// The distance from its region beyond which a contact has left the region.
    var leave: Length?

    static let keys: [Key<GestureDefaults>] =
        GestureType.kinds.filter { !$0.kind.row.defaultKeys.isEmpty }.map { type in
            Key(type.name) { value, defaults in
                let overrides = value.overrides(of: type.kind.row)
                if !overrides.isEmpty { defaults.overrides[type.kind] = overrides }
            }
        } + [Key("leave") { $0.table(leaveKeys, into: &$1) }]

    static let leaveKeys: [Key<GestureDefaults>] = [
        Key("outside", \.leave) { value in
            value.noteStandard(Length(number: Region.usualLeaveDistance, unit: .millimeters))
            return value.threshold()
        }
    ]
}

/// A key of a gesture, with its value in one layer of the configuration.
struct GestureOverride: Hashable, Sendable {
    let key: String
    let value: WrittenValue
}

extension GestureOverride {
    init(_ key: String, _ value: SettingValue) {
        self.init(key: key, value: .value(value))
    }
}
