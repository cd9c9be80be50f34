// SPDX-License-Identifier: MIT
import GestureEngine

/// A key of a gesture with the value that one layer of the configuration gives it.
struct GestureOverride: Hashable, Sendable {
    let key: String
    /// Of the type that the key's reader returns.
    let value: any Hashable & Sendable

    static func == (a: Self, b: Self) -> Bool { a.key == b.key && AnyHashable(a.value) == AnyHashable(b.value) }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(AnyHashable(value))
    }
}

/// One key of a gesture, declared once: how its value is read, and what it sets in the engine's settings. The
/// latter happens for each panel, because what a length is depends on the panel.
struct GestureKey<Settings>: Sendable {
    typealias Property<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// Reads the value and appends it.
    let key: Key<[GestureOverride]>
    let apply: @Sendable (GestureOverride, LengthScale, inout Settings) -> Void
    /// Whether `[defaults]` may have the key.
    private(set) var hasDefault = true

    /// A key with a value that the settings have as it is.
    init<Value: Hashable & Sendable>(
        _ name: String, _ property: Property<Value>, _ read: @escaping @Sendable (ValueReader) -> Value?
    ) {
        self.init(name, property, read) { value, _ in value }
    }

    /// A key with a length, which the settings have in millimetres.
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

    /// Keys that make a gesture what it is have no place in `[defaults]`.
    var withoutDefault: Self {
        var key = self
        key.hasDefault = false
        return key
    }
}
