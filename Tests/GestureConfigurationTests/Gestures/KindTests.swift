// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureConfiguration

@Suite("Kinds of gestures")
struct KindTests {
    @Test("each kind of the engine has one type in the configuration")
    func types() {
        #expect(GestureType.kinds.count == GestureKind.allCases.count)
        #expect(Set(GestureType.kinds.map { $0.kind }) == Set(GestureKind.allCases))
        #expect(Set(GestureType.names).count == GestureType.all.count)
        #expect(GestureType.all.allSatisfy { GestureType($0.name) == $0 } && GestureType("flick") == nil)
    }

    @Test(
        "the fingers of a drag are a number, a range or any number",
        arguments: [
            ("2", 2...2), ("\"1..3\"", 1...3), ("\"3..3\"", 3...3), ("\"any\"", 1...10), ("\"3..1\"", nil),
            ("\"0..3\"", nil), ("\"1..11\"", nil), ("\"1.3\"", nil), ("\"1...3\"", nil), ("\"all\"", nil), ("0", nil),
        ] as [(String, ClosedRange<Int>?)])
    func fingers(value: String, range: ClosedRange<Int>?) {
        let text = """
            version = 1
            [[region]]
            id = "a"
            shape = "full"
            gestures = [{ type = "drag", fingers = \(value) }]
            """
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: "t")
        #expect(diagnostics.contains { $0.isError } == (range == nil), "\(diagnostics)")
        guard let range else { return }
        let panel = PanelSize(widthPixels: 200, heightPixels: 100, widthMillimeters: 200, heightMillimeters: 100)
        let gesture = configuration?.regions(for: panel).regions.first?.gestures.first
        #expect(gesture?.settings == drag { $0.fingerRange = range })
    }
}
