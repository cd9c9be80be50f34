// SPDX-License-Identifier: MIT

/// A gesture as the configuration names it.
enum GestureWord: String, CaseIterable, Hashable, Sendable {
    case press, tap
    case doubleTap = "double_tap"
    case twoFingerTap = "two_finger_tap"
    case longPress = "long_press"
    case `repeat`, drag, swipe, pinch, rotate, pattern

    static var words: [String] { allCases.map { $0.rawValue } }

    /// The keys that only this gesture has, beside those of `GestureKey`.
    var keys: [String] {
        switch self {
        case .press: PressKey.words
        case .tap: TapKey.words
        // What makes them what they are cannot be changed.
        case .doubleTap: TapKey.words.filter { $0 != TapKey.count.rawValue }
        case .twoFingerTap: TapKey.words.filter { $0 != TapKey.fingers.rawValue }
        case .longPress: LongPressKey.words
        case .repeat: RepeatKey.words
        case .drag: DragKey.words
        case .swipe: SwipeKey.words
        case .pinch: PinchKey.words
        case .rotate: RotateKey.words
        case .pattern: PatternKey.words
        }
    }
}

/// The keys of every gesture.
enum GestureKey: String, TableKey {
    case type, name, after, unless, exclusive
}
