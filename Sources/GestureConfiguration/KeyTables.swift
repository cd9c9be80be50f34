// SPDX-License-Identifier: MIT

/// The keys of every kind of table, as the reader takes them: what the schema and the manual are
/// held to.
package enum KeyTables {
    /// By the table's name; for lists, that of one entry.
    package static let tables: [(name: String, keys: [String])] = [
        ("file", TopKey.words),
        ("daemon", DaemonKey.words),
        ("access", AccessKey.words),
        ("defaults", DefaultsKey.words),
        ("leave", LeaveKey.words),
        ("filter", FilterKey.words),
        ("storm", StormKey.words),
        ("device", DeviceKey.words),
        ("match", MatchKey.words),
        ("output", OutputKey.words),
        ("region", RegionKey.words),
        ("shape", ShapeKey.words),
        ("circle", CircleKey.words),
        ("scene", SceneKey.words),
        ("arbitration", ArbitrationKey.words),
        ("gesture", GestureKey.words),
    ]

    /// The keys of each gesture beside those of `gesture`, by its word.
    package static let gestures: [(word: String, keys: [String])] = GestureWord.allCases.map { ($0.rawValue, $0.keys) }

    /// The keys of each gesture among defaults.
    package static let defaults: [(word: String, keys: [String])] = [
        ("press", PressPatch.defaultWords),
        ("tap", TapPatch.defaultWords),
        ("long_press", LongPressPatch.defaultWords),
        ("repeat", RepeatPatch.defaultWords),
        ("drag", DragPatch.defaultWords),
        ("swipe", SwipePatch.defaultWords),
        ("pinch", PinchPatch.defaultWords),
        ("rotate", RotatePatch.defaultWords),
        ("leave", LeaveKey.words),
    ]
}
