// SPDX-License-Identifier: MIT

/// The kinds of gestures.
///
/// To add a kind, add it to each list of this file, and a file with its settings and its recognizer.
package enum GestureKind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case press, tap, longPress, `repeat`, drag, swipe, pinch, rotate, dial, chain, stroke, pattern
}

/// The settings of one gesture, by kind.
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

    /// The settings of its kind, for what other modules know of some kinds only.
    package var ofKind: any Sendable { common }

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

extension GestureKind {
    /// The properties that the arbiter depends on.
    var traits: GestureTraits {
        switch self {
        case .drag:
            GestureTraits(place: 0, competes: true, countsFreeContacts: true, retry: .whenOver)
        case .pinch:
            GestureTraits(place: 1, competes: true, countsFreeContacts: true, retry: .whenOver)
        case .rotate:
            GestureTraits(place: 2, competes: true, countsFreeContacts: true, retry: .whenOver)
        case .dial:
            GestureTraits(place: 3, competes: true, countsFreeContacts: true, retry: .whenOver)
        case .swipe:
            GestureTraits(place: 4, isContinuous: false, competes: true, countsFreeContacts: true, retry: .always)
        case .chain:
            GestureTraits(place: 5, isContinuous: false, competes: true, countsFreeContacts: true, retry: .always)
        case .stroke:
            GestureTraits(place: 6, isContinuous: false, competes: true, countsFreeContacts: true, retry: .always)
        case .tap:
            GestureTraits(place: 7, isContinuous: false, shadowing: .everyContact, retry: .always)
        case .longPress:
            GestureTraits(
                place: 8, countsFreeContacts: true, shadowing: .firstContact, retry: .whenOver, claimed: .goesOnIfBegun,
                takesWithSeveral: false, needsSameContacts: true, failsTaps: true, liftStage: .held)
        case .repeat:
            GestureTraits(
                place: 9, isContinuous: false, shadowing: .firstContact, claimed: .goesOn, liftStage: .held,
                isStep: false)
        case .press:
            GestureTraits(place: 10, shadowing: .firstContact, claimed: .goesOn, liftStage: .last)
        case .pattern:
            GestureTraits(place: 11, isContinuous: false, claimed: .goesOn, hasRecognizer: false, isStep: false)
        }
    }
}

extension KindRow {
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
}
