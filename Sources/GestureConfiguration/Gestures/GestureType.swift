// SPDX-License-Identifier: MIT
package import GestureEngine

/// A type of gesture, as named in the configuration.
package enum GestureType: String, CaseIterable, Hashable, Sendable {
    case press, tap
    case doubleTap = "double_tap"
    case twoFingerTap = "two_finger_tap"
    case button
    case longPress = "long_press"
    case `repeat`, drag, swipe, pinch, rotate, dial, chain, stroke, pattern

    package static let names = allCases.map { $0.rawValue }

    /// The values that `gesture` can have in lines.
    package static let words = allCases.filter { $0.word == $0.rawValue }.map { $0.word }

    /// One type for each kind of gesture that the engine supports.
    static let kinds = allCases.filter { $0.presets.isEmpty }

    /// The key of this type in `[defaults]`, which it shares with others of its kind.
    var defaultsKey: String { Self.kinds.first { $0.kind == kind }?.rawValue ?? rawValue }

    /// The value of `gesture` in lines. A button is reported as a tap.
    var word: String { self == .button ? Self.tap.rawValue : rawValue }

    package var kind: GestureKind {
        switch self {
        case .press: .press
        case .tap, .doubleTap, .twoFingerTap, .button: .tap
        case .longPress: .longPress
        case .repeat: .repeat
        case .drag: .drag
        case .swipe: .swipe
        case .pinch: .pinch
        case .rotate: .rotate
        case .dial: .dial
        case .chain: .chain
        case .stroke: .stroke
        case .pattern: .pattern
        }
    }

    /// The settings that distinguish this type from others of its kind; a gesture cannot override them.
    var presets: [GestureOverride] {
        switch self {
        case .doubleTap: [GestureOverride("count", .count(2))]
        case .twoFingerTap: [GestureOverride("fingers", .count(2))]
        case .button:
            [GestureOverride("inside", .flag(true)), GestureOverride("slop", .off), GestureOverride("max_time", .off)]
        case .press, .tap, .longPress, .repeat, .drag, .swipe, .pinch, .rotate, .dial, .chain, .stroke, .pattern: []
        }
    }

    /// The keys that a gesture of this type accepts, in addition to the keys that every gesture accepts.
    package var keys: [Setting] {
        let presets = presets.map { $0.key }
        return presets.isEmpty ? kind.row.keys : kind.row.keys.filter { !presets.contains($0.name) }
    }
}

extension KindRow {
    /// The keys that `[defaults]` accepts.
    package var defaultKeys: [Setting] { keys.filter { !$0.isIdentity } }

    /// The key without which a gesture of this kind has no meaning; `nil` if there is none.
    var requiredKey: String? { keys.first { $0.isRequired }?.name }

    /// Returns the settings with overrides applied, later ones over earlier ones.
    func settings(_ overrides: [GestureOverride], _ scale: LengthScale) -> GestureSettings {
        var settings = standard
        for override in overrides { key(override.key)?.set(override.value.inEngine(scale), &settings) }
        return settings
    }
}
