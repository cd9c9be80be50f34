// SPDX-License-Identifier: MIT
import GestureServerHarness
import Testing

/// A few runs of the test that `scripts/fuzz clients` plays at length.
@Suite("The list of clients, at random")
struct ClientListFuzzTests {
    @Test("stays consistent, whatever clients do", arguments: 1...8 as ClosedRange<UInt64>)
    func order(seed: UInt64) throws { try ClientListRun.play(seed: seed) }
}
