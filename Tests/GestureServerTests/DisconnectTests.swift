// SPDX-License-Identifier: MIT
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Ends of connections")
struct DisconnectTests {
    @Test("the delegate gets one report of each connection that ends, and no other")
    func ends() throws {
        let harness = try ServerHarness()
        let stays = try harness.connectGreeted()
        var goes: TestClient? = try harness.connectGreeted()
        #expect(goes != nil)
        #expect(harness.delegate.ended == [])
        goes = nil
        harness.turn()
        harness.turn()
        #expect(harness.delegate.ended == [2])
        stays.send("{\"cmd\":\"ping\"}\n")
        harness.turn()
        #expect(stays.read() == "{\"reply\":\"ping\",\"ok\":true}\n")
        #expect(harness.delegate.ended == [2])
    }
}
