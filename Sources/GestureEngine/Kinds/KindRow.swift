// SPDX-License-Identifier: MIT

/// What a hand does for a gesture.
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
    /// Other gestures.
    case otherGestures

    package var isMovement: Bool {
        switch self {
        case .touch, .hold, .otherGestures: false
        case .path, .span, .turn, .circle: true
        }
    }
}

/// What everyone but the arbiter asks about a kind of gesture.
package struct KindRow: Sendable {
    package let kind: GestureKind
    /// The word in configurations and on the wire.
    package let word: String
    package let motion: HandMotion
    /// The settings of a gesture without keys.
    package let standard: GestureSettings
    /// The keys in the order of docs/configuration.md.
    package let keys: [Setting<GestureSettings>]

    private init<Settings: RecognizerSettings>(
        _ word: String, _ motion: HandMotion, _ standard: Settings,
        _ wrap: @escaping @Sendable (Settings) -> GestureSettings
    ) {
        (self.word, self.motion) = (word, motion)
        self.standard = wrap(standard)
        kind = self.standard.kind
        keys = Settings.keys.map { $0.erased(wrap) }
    }

    /// The rows in the order of `GestureKind.allCases`.
    package static let all = GestureKind.allCases.map { kind in
        switch kind {
        case .press: KindRow("press", .touch, PressSettings(), GestureSettings.press)
        case .tap: KindRow("tap", .touch, TapSettings(), GestureSettings.tap)
        case .longPress: KindRow("long_press", .hold, LongPressSettings(), GestureSettings.longPress)
        case .repeat: KindRow("repeat", .hold, RepeatSettings(), GestureSettings.repeat)
        case .drag: KindRow("drag", .path, DragSettings(), GestureSettings.drag)
        case .swipe: KindRow("swipe", .path, SwipeSettings(), GestureSettings.swipe)
        case .pinch: KindRow("pinch", .span, PinchSettings(), GestureSettings.pinch)
        case .rotate: KindRow("rotate", .turn, RotateSettings(), GestureSettings.rotate)
        case .dial: KindRow("dial", .circle, DialSettings(), GestureSettings.dial)
        case .chain: KindRow("chain", .path, ChainSettings(), GestureSettings.chain)
        case .stroke: KindRow("stroke", .path, StrokeSettings(), GestureSettings.stroke)
        case .pattern: KindRow("pattern", .otherGestures, PatternSettings(), GestureSettings.pattern)
        }
    }

    /// Looks up a key.
    package func key(_ name: String) -> Setting<GestureSettings>? { keys.first { $0.name == name } }
}

extension GestureKind {
    package var row: KindRow { KindRow.all[Int(rawValue)] }
}
