// SPDX-License-Identifier: MIT
import GestureServerHarness
import Testing

/// Short runs of the test that `scripts/fuzz clients` runs for a long time.
@Suite("The list of clients, at random")
struct ClientListFuzzTests {
    @Test("stays consistent, whatever clients do", arguments: 1...8 as ClosedRange<UInt64>)
    func order(seed: UInt64) throws { try ClientListRun.play(seed: seed) }
}
