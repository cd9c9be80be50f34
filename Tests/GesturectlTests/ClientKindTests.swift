// SPDX-License-Identifier: MIT
import GestureClient
import Testing

@Suite("Kinds of gestures in the client library")
struct ClientKindTests {
    @Test("of a later daemon have no known phase")
    func later() {
        #expect(GestureClient.Gesture.Kind.press.isContinuous)
        #expect(!GestureClient.Gesture.Kind(rawValue: "flick").isContinuous)
    }
}
