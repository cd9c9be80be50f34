// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing

/// The work for what clients define has limits, whatever they define.
@Suite("The cost of defined regions")
struct DefinitionCostTests {
    private static let panel = PanelSize(
        widthPixels: 1000, heightPixels: 500, widthMillimeters: 200, heightMillimeters: 100)

    /// Each of the patterns ends with one of the region before, and waits for all before it.
    @Test("many patterns of patterns of a guest")
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
        // It takes half a second here. A way through all patterns of patterns would take longer than anybody waits.
        #expect(seconds < 20)
    }

    @Test("suggestions for what a client defines are few: each takes as long as there are regions")
    func suggestions() throws {
        let files = try #require(
            ConfigurationReader.read("[[region]]\nid = \"list\"\nshape = \"full\"\n").configuration)
        let values = (0..<20).map { json(#"{"id":"a\#($0)","shape":"full","parent":"lisd"}"#) }
        let found = files.readDefinitions(values, file: "regions").diagnostics
        #expect(found.count == 20)
        #expect(found.compactMap { $0.suggestion } == Array(repeating: "list", count: 8))
    }
}
