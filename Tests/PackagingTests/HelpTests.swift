// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("make help")
struct HelpTests {
    @Test("names every target that people call")
    func targets() throws {
        let makefile = try #require(Document("Makefile")).text
        let line = try #require(makefile.split(separator: "\n").first { $0.hasPrefix(".PHONY: ") })
        let targets = line.split(separator: " ").dropFirst().filter { !$0.hasPrefix("setup-") && $0 != "release" }
        let help = try Shell.run("make -s help").output
        #expect((10...20).contains(targets.count))
        for target in targets { #expect(help.contains("  make \(target) "), "make help does not name \(target)") }
    }
}
