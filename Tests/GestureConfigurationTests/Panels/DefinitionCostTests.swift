// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing

/// The work for regions that clients define is bounded.
@Suite("The cost of defining regions")
struct DefinitionCostTests {
    private static let panel = PanelSize(
        widthPixels: 1000, heightPixels: 500, widthMillimeters: 200, heightMillimeters: 100)

    /// The last step of each pattern is a pattern of the preceding region, and each pattern waits for all preceding
    /// ones.
    @Test("of many patterns of patterns")
    func manyPatterns() throws {
        let plain = (0..<1000).map { json(#"{"id":"r\#($0)","shape":"full"}"#) }
        let patterns = (0..<16).map { region in
            let gestures = (0..<40).map { number in
                let last = region > 0 ? "a\(number) app.p\(region - 1)" : "tap r999"
                let unless = (0..<number).map { "\"a\($0)\"" }.joined(separator: ",")
                return """
                    {"type":"pattern","name":"a\(number)","steps":["tap r999","\(last)"],"unless":[\(unless)]}
                    """
            }
            return json(#"{"id":"app.p\#(region)","shape":"full","gestures":[\#(gestures.joined(separator: ","))]}"#)
        }
        var runtime = RuntimeState()
        let guest = GuestRules(AccessSettings(), own: [])
        runtime.definitions = try #require(Configuration().readDefinitions(plain, file: "f").rules)
        let around = Configuration().applying(runtime)
        runtime.definitions += try #require(
            around.readDefinitions(patterns, file: "f", by: Definer(guest: guest, seesPrivate: false)).rules)
        let configuration = Configuration().applying(runtime)
        var warnings: [Diagnostic] = []
        let seconds = processorSeconds { warnings = configuration.layout(for: Self.panel).diagnostics }
        #expect(warnings.allSatisfy { $0.code == .neverHit })
        // It usually takes half a second. Following all paths through the patterns would practically never end.
        #expect(seconds < 20)
    }

    @Test("suggestions for a client's definitions are few, because each searches all regions")
    func suggestions() throws {
        let files = try #require(
            ConfigurationReader.read("[[region]]\nid = \"list\"\nshape = \"full\"\n").configuration)
        let values = (0..<20).map { json(#"{"id":"a\#($0)","shape":"full","parent":"lisd"}"#) }
        let found = files.readDefinitions(values, file: "regions").diagnostics
        #expect(found.count == 20)
        #expect(found.compactMap { $0.suggestion } == Array(repeating: "list", count: 8))
    }
}
