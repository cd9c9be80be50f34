// SPDX-License-Identifier: MIT

/// What everyone but the arbiter asks about a kind of gesture.
package struct KindRow: Sendable {
    package let kind: GestureKind
    /// The word in configurations and on the wire.
    package let word: String
    /// The settings of a gesture without keys.
    package let standard: GestureSettings
    /// The keys in the order of docs/configuration.md.
    package let keys: [Setting<GestureSettings>]

    private init<Settings: RecognizerSettings>(
        _ word: String, _ standard: Settings, _ wrap: @escaping @Sendable (Settings) -> GestureSettings
    ) {
        self.word = word
        self.standard = wrap(standard)
        kind = self.standard.kind
        keys = Settings.keys.map { $0.erased(wrap) }
    }

    /// The rows in the order of `GestureKind.allCases`.
    package static let all = GestureKind.allCases.map { kind in
        switch kind {
        case .press: KindRow("press", PressSettings(), GestureSettings.press)
        case .tap: KindRow("tap", TapSettings(), GestureSettings.tap)
        case .longPress: KindRow("long_press", LongPressSettings(), GestureSettings.longPress)
        case .repeat: KindRow("repeat", RepeatSettings(), GestureSettings.repeat)
        case .drag: KindRow("drag", DragSettings(), GestureSettings.drag)
        case .swipe: KindRow("swipe", SwipeSettings(), GestureSettings.swipe)
        case .pinch: KindRow("pinch", PinchSettings(), GestureSettings.pinch)
        case .rotate: KindRow("rotate", RotateSettings(), GestureSettings.rotate)
        case .dial: KindRow("dial", DialSettings(), GestureSettings.dial)
        case .chain: KindRow("chain", ChainSettings(), GestureSettings.chain)
        case .stroke: KindRow("stroke", StrokeSettings(), GestureSettings.stroke)
        case .pattern: KindRow("pattern", PatternSettings(), GestureSettings.pattern)
        }
    }

    /// Looks up a key.
    package func key(_ name: String) -> Setting<GestureSettings>? { keys.first { $0.name == name } }
}

extension GestureKind {
    package var row: KindRow { KindRow.all[Int(rawValue)] }
}
