// SPDX-License-Identifier: MIT
import GestureEngine
import Testing

@testable import GestureConfiguration

@Suite("Kinds of gestures")
struct KindTests {
    @Test("each kind of the engine has one type in the configuration")
    func types() {
        #expect(GestureType.kinds.count == GestureKind.allCases.count)
        #expect(Set(GestureType.kinds.map { $0.schema.kind }) == Set(GestureKind.allCases))
    }

    @Test("failures name keys that the gesture has", arguments: GestureType.kinds)
    func failures(type: GestureType) {
        let keys = Set(type.keys.map { $0.name })
        let failures = type.schema.kind.failures
        #expect(failures.fingers?.rawValue == (keys.contains("fingers") ? "fingers" : nil))
        if let distance = failures.distance { #expect(keys.contains(distance.rawValue)) }
        if !keys.isDisjoint(with: ["max_time", "max_duration"]) { #expect(keys.contains(failures.time.rawValue)) }
    }
}
