// SPDX-License-Identifier: MIT
import GestureEngine

/// One key of one kind of gesture with the value that a layer of the configuration gives it.
/// Layers are applied one after the other: defaults, device, parents, region, gesture.
protocol SettingsPatch: Hashable, Sendable {
    associatedtype Key: TableKey
    associatedtype Settings

    /// Keys that tell gestures apart: they stand in a gesture, never among defaults.
    static var gestureOnly: [Key] { get }

    /// - Returns: `nil` after an error.
    static func read(_ key: Key, _ value: TomlValue, _ check: ValueReader) -> Self?

    /// Lengths become millimetres here.
    func apply(to settings: inout Settings, _ scale: LengthScale)

    /// For the warning about panels of unknown size.
    var length: Length? { get }
}

extension SettingsPatch {
    static var gestureOnly: [Key] { [] }

    /// The keys that defaults may have.
    static var defaultWords: [String] {
        Key.allCases.filter { !gestureOnly.contains($0) }.map { $0.rawValue }
    }

    static func readAll(_ reader: TableReader<Key>) -> [Self] {
        reader.present.compactMap { read($0.key, $0.value, reader.check) }
    }
}

extension Sequence where Element: SettingsPatch {
    func apply(to settings: inout Element.Settings, _ scale: LengthScale) {
        for patch in self { patch.apply(to: &settings, scale) }
    }
}

/// How many fingers and taps a gesture may ask for.
enum GestureLimits {
    static let fingers: ClosedRange<Int64> = 1...10
    static let count: ClosedRange<Int64> = 1...10
    /// The engine's clock has grains, and deadlines must not come without end.
    static let shortestInterval = Interval.milliseconds(1)
}
