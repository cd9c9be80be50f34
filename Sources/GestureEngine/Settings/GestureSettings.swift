// SPDX-License-Identifier: MIT

/// The numbers of one gesture, by kind.
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
}
