// SPDX-License-Identifier: MIT

/// The settings of one gesture, by kind.
///
/// To add a kind, add a case here and in `GestureKind`, and a file with its settings and its recognizer.
package enum GestureSettings: Hashable, Sendable {
    case press(PressSettings)
    case tap(TapSettings)
    case longPress(LongPressSettings)
    case `repeat`(RepeatSettings)
    case drag(DragSettings)
    case swipe(SwipeSettings)
    case pinch(PinchSettings)
    case rotate(RotateSettings)
    case dial(DialSettings)
    case chain(ChainSettings)
    case stroke(StrokeSettings)
    case pattern(PatternSettings)

    package var kind: GestureKind {
        switch self {
        case .press: .press
        case .tap: .tap
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

    /// The minimum number of contacts that take part; 0 if the kind observes other gestures instead.
    package var fingers: Int { common.fingers }

    /// The number of one-finger taps that must directly precede the gesture.
    package var taps: Int { common.taps }

    /// The settings that all kinds share.
    var common: any RecognizerSettings {
        switch self {
        case .press(let settings): settings
        case .tap(let settings): settings
        case .longPress(let settings): settings
        case .repeat(let settings): settings
        case .drag(let settings): settings
        case .swipe(let settings): settings
        case .pinch(let settings): settings
        case .rotate(let settings): settings
        case .dial(let settings): settings
        case .chain(let settings): settings
        case .stroke(let settings): settings
        case .pattern(let settings): settings
        }
    }
}

/// The settings of one kind of gesture, and the factory of its recognizer.
protocol RecognizerSettings: Sendable {
    /// The keys that set the properties.
    static var keys: [Setting<Self>] { get }
    /// The minimum number of contacts that take part; 0 if the kind observes other gestures instead.
    var fingers: Int { get }
    /// The number of one-finger taps that must directly precede the gesture.
    var taps: Int { get }
    /// The directions that are told apart; empty if the kind has none.
    var swipeDirections: [SwipeDirection] { get }

    /// Whether the recognizer depends on contacts being inside the region.
    var watchesInside: Bool { get }

    /// Creates the recognizer of a gesture.
    /// - Parameters:
    ///   - region: the region of the gesture.
    ///   - isAwaited: whether another gesture waits for the failure of this one.
    /// - Returns: `nil` if the kind receives no contacts.
    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer?
}

extension RecognizerSettings {
    var taps: Int { 0 }
    var swipeDirections: [SwipeDirection] { [] }
    var watchesInside: Bool { false }
}
