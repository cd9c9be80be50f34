// SPDX-License-Identifier: MIT
import GestureServerHarness
import Testing

/// A few runs of what `scripts/fuzz clients` plays at length.
@Suite("The list of clients")
struct ClientListFuzzTests {
    @Test("stays in order, whatever clients do", arguments: 1...8 as ClosedRange<UInt64>)
    func order(seed: UInt64) throws { try ClientListRun.play(seed: seed) }
}
