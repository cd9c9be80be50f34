// SPDX-License-Identifier: MIT
package import GestureEngine

/// A type of gesture, as named in the configuration: a kind, or a kind with some settings of its own.
package struct GestureType: Hashable, Sendable {
    private struct Row {
        let name: String
        let kind: GestureKind
        var presets: [GestureOverride] = []
        /// Whether lines have the name, too, instead of the kind's word.
        var isInLines = true
    }

    /// The types of a kind that have settings of their own.
    private static let others: [GestureKind: [Row]] = [
        .tap: [
            Row(name: "double_tap", kind: .tap, presets: [GestureOverride("count", .count(2))]),
            Row(name: "two_finger_tap", kind: .tap, presets: [GestureOverride("fingers", .count(2))]),
            // A button is reported as a tap.
            Row(
                name: "button", kind: .tap,
                presets: [
                    GestureOverride("inside", .flag(true)), GestureOverride("slop", .off),
                    GestureOverride("max_time", .off),
                ], isInLines: false),
        ]
    ]
    private static let rows = GestureKind.allCases.flatMap { kind in
        [Row(name: kind.row.word, kind: kind)] + (others[kind] ?? [])
    }

    /// All types, in the order of the kinds.
    package static let all = rows.indices.map { GestureType(place: UInt8($0)) }
    package static let names = all.map { $0.name }
    /// The values that `gesture` can have in lines.
    package static let words = all.filter { $0.word == $0.name }.map { $0.word }
    /// One type for each kind of gesture that the engine supports.
    static let kinds = all.filter { $0.presets.isEmpty }
    private static let byName = Dictionary(uniqueKeysWithValues: zip(names, all))

    private let place: UInt8

    private init(place: UInt8) { self.place = place }

    /// - Parameter name: the word in configurations.
    package init?(_ name: String) {
        guard let type = Self.byName[name] else { return nil }
        self = type
    }

    private var row: Row { Self.rows[Int(place)] }

    /// The word in configurations.
    package var name: String { row.name }

    package var kind: GestureKind { row.kind }

    /// The settings that distinguish this type from others of its kind; a gesture cannot override them.
    var presets: [GestureOverride] { row.presets }

    /// The value of `gesture` in lines.
    package var word: String { row.isInLines ? name : kind.row.word }

    /// The key of this type in `[defaults]`, which it shares with others of its kind.
    var defaultsKey: String { kind.row.word }

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
