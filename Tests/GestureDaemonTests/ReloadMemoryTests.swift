// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// The memory that a reload takes. The service may use 128 MiB (`MemoryMax`).
@Suite(
    "Daemon: memory of a reload",
    .enabled(if: getenv("GESTURED_SANITIZER") == nil, "programs with a sanitizer need much more memory"))
struct ReloadMemoryTests {
    @Test("does not grow with the lines before a mistake")
    func emptyLines() throws {
        let harness = try PanelHarness()
        let before = try harness.daemon.peakMemory()
        try harness.daemon.configure("version = 1\n" + String(repeating: "\n", count: 1_000_000) + "gap = 300ms\n")
        let reply = try harness.client.request(#"{"cmd":"reload","id":9}"#)
        let mistake = try #require(reply.object("error")?.objects("diagnostics").first)
        #expect(mistake["message"]?.contains("text needs quotes") == true)
        #expect(mistake.number("line") == 1_000_002)
        // A list of all lines takes 32 MB.
        #expect(try harness.daemon.peakMemory() - before < 20_000_000)
    }
}
