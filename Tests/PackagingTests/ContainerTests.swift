// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// The parts of the image that can be checked without podman. `Tests/Kernel/test_container.py` builds and runs it.
@Suite("packaging/Containerfile")
struct ContainerTests {
    private let text: String

    init() throws { text = try #require(Document("packaging/Containerfile")).text }

    @Test("has the packages in packaging/INSTALL, except the one for the host's udev rule")
    func packages() throws {
        let instructions = try #require(Document("packaging/INSTALL")).text
        let rows = instructions.firstMatch(of: #/Debian, Ubuntu +(.*)\n +for gestured-mqtt: (.*)\n/#)
        let listed = try #require(rows).output
        let daemon = Set(listed.1.split(separator: " ")).subtracting(["acl"])
        let bridges = try #require(text.firstMatch(of: #/--no-install-recommends (lib.*) &&/#)).output.1
        #expect(Set(bridges.split(separator: " ")) == daemon.union(listed.2.split(separator: " ")))
        let small = try #require(text.firstMatch(of: #/ base-files (lib.*) &&/#)).output.1
        #expect(Set(small.split(separator: " ")) == daemon)
    }

    @Test("copies files that a build or a release has, and does not run as root")
    func files() throws {
        let sources = try Shell.run("scripts/install sources daemon web mqtt").output.split(separator: "\n")
        for line in text.split(separator: "\n") where line.hasPrefix("COPY .") || line.hasPrefix("COPY c") {
            for source in line.split(separator: " ").dropFirst().dropLast() {
                #expect(sources.contains { $0 == source || $0.hasPrefix(source + "/") }, "\(source)")
            }
        }
        #expect(text.matches(of: #/\nUSER 990:990\n/#).count == 2, "one for each image")
    }
}
