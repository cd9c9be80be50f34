// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Random files")
struct RandomFileTests {
    private static let tokens = [
        "[[region]]", "[defaults]", "=", "\"", "{", "}", "[", "]", ",", "\n", "#", ".", "-", "9999999999999999999",
        "1e400", "nan", "inf", "\"5%\"", "\"3mm\"", "true", "1979-05-27", "'''", "\"\"\"", "\\u0000", "é", "\u{0}",
        "id",
        "shape", "parent", "\"full\"", "gestures", "enabled = false",
    ]

    /// The reader returns a configuration if and only if it reports no error.
    @Test("are read or refused", arguments: ["config/gestured.toml", "config/examples/terminal.toml"])
    func mutated(path: String) throws {
        let original = Array(try readText(packageRoot + "/" + path).utf8)
        var random = SeededRandom(42)
        for _ in 0..<150 {
            var text = original
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&text, &random) }
            let (configuration, diagnostics) = ConfigurationReader.read([("t", text)])
            #expect((configuration == nil) == diagnostics.contains { $0.isError })
            for diagnostic in diagnostics { #expect(!diagnostic.description.isEmpty) }
            guard let configuration else { continue }
            let (regions, warnings) = configuration.regions(for: .small)
            #expect(regions.count == configuration.regions.count)
            #expect(warnings.allSatisfy { !$0.isError })
            for (i, region) in regions.enumerated() {
                #expect(region.parent.map { $0.raw < i } != false)
                #expect(region.bounds.width.isFinite && region.bounds.height.isFinite)
            }
        }
    }

    private func mutate(_ text: inout [UInt8], _ random: inout SeededRandom) {
        guard !text.isEmpty else { return }
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: text[place] = UInt8.random(in: 0...255, using: &random)
        case 1: text.remove(at: place)
        case 2: text.insert(contentsOf: Array((Self.tokens.randomElement(using: &random) ?? "").utf8), at: place)
        case 3: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...80, using: &random)))
        default: text.insert(contentsOf: text[place..<min(text.count, place + 120)], at: place)
        }
    }
}
