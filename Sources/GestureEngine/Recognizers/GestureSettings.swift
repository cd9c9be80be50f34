// SPDX-License-Identifier: MIT

/// The numbers of one gesture, by kind.
///
/// A new kind is a case here and in `GestureKind`, and a file with its settings and its recognizer.
package enum GestureSettings: Hashable, Sendable {
    case press(PressSettings)
    case tap(TapSettings)
    case longPress(LongPressSettings)
    case `repeat`(RepeatSettings)
    case drag(DragSettings)
    case swipe(SwipeSettings)
    case pinch(PinchSettings)
    case rotate(RotateSettings)
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
        case .pattern: .pattern
        }
    }

    /// Contacts that take part, at least; 0: it looks at other gestures, not at contacts.
    package var fingers: Int { common.fingers }

    /// Taps of one finger that must come right before.
    package var taps: Int { common.taps }

    /// What all kinds have in common.
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
        case .pattern(let settings): settings
        }
    }
}

/// The numbers of one kind of gesture, and how its recognizer is made.
protocol RecognizerSettings {
    /// Contacts that take part, at least; 0: it looks at other gestures, not at contacts.
    var fingers: Int { get }
    /// Taps of one finger that must come right before.
    var taps: Int { get }

    /// It cares whether contacts are inside the region.
    var watchesInside: Bool { get }

    /// - Parameters:
    ///   - region: that the gesture belongs to.
    ///   - isAwaited: another gesture waits for the failure of this one.
    /// - Returns: `nil`: it is told no contacts.
    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer?
}

extension RecognizerSettings {
    var taps: Int { 0 }
    var watchesInside: Bool { false }
}
