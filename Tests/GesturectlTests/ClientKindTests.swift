// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import Testing

@testable import GestureConfiguration

@Suite("Kinds of gestures in the client library")
struct ClientKindTests {
    /// When a gesture type is added to the engine, add a constant to `GestureClient.Gesture.Kind` and a case to this
    /// function.
    private func constant(_ type: GestureType) -> GestureClient.Gesture.Kind {
        switch type {
        case .press: .press
        case .tap, .button: .tap
        case .doubleTap: .doubleTap
        case .twoFingerTap: .twoFingerTap
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

    @Test("have the daemon's names, and phases if the engine's have some", arguments: GestureType.allCases)
    func kind(type: GestureType) {
        #expect(constant(type).rawValue == type.word)
        #expect(constant(type).isContinuous == type.kind.isContinuous)
    }

    @Test("of a later daemon have no known phase")
    func later() {
        #expect(!GestureClient.Gesture.Kind(rawValue: "flick").isContinuous)
    }
}
