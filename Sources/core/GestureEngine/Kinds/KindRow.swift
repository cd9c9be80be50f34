// SPDX-License-Identifier: MIT

/// The motion of a hand for a gesture.
package enum HandMotion: Sendable {
    /// Touches that neither stay nor move.
    case touch
    /// Fingers that stay.
    case hold
    /// The path of the fingers, or of their centroid.
    case path
    /// Fingers that move apart or together.
    case span
    /// Fingers that turn around each other.
    case turn
    /// A finger that moves on a circle.
    case circle
    case otherGestures

    package var isMovement: Bool {
        switch self {
        case .touch, .hold, .otherGestures: false
        case .path, .span, .turn, .circle: true
        }
    }
}

/// A kind of gesture, as everyone but the arbiter sees it.
package struct KindRow: Sendable {
    package let kind: GestureKind
    /// The word in configurations and on the wire.
    package let word: String
    package let motion: HandMotion
    /// The settings of a gesture without keys.
    package let standard: GestureSettings
    /// The keys in the order of docs/configuration.md.
    package var keys: [Setting] { ownKeys() }
    /// Keys are made when they are first used, because most configurations set few.
    private let ownKeys: @Sendable () -> [Setting]
    /// Returns `nil` for settings of another kind.
    let wrap: @Sendable (any RecognizerSettings) -> GestureSettings?

    init<Settings: RecognizerSettings>(
        _ word: String, _ motion: HandMotion, _ standard: Settings,
        _ wrap: @escaping @Sendable (Settings) -> GestureSettings
    ) {
        (self.word, self.motion) = (word, motion)
        self.standard = wrap(standard)
        kind = self.standard.kind
        ownKeys = { Settings.keys }
        self.wrap = { ($0 as? Settings).map(wrap) }
    }

    /// Looks up a key.
    package func key(_ name: String) -> Setting? { keys.first { $0.name == name } }
}

extension GestureKind {
    package var row: KindRow { KindRow.all[Int(rawValue)] }
}
