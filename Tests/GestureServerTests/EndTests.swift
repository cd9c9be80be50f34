// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Ends of connections")
struct EndTests {
    @Test("the daemon is told once of each connection that ends, and of no other")
    func ends() throws {
        let bed = try ServerBed()
        let stays = try bed.connectGreeted()
        var goes: TestClient? = try bed.connectGreeted()
        #expect(goes != nil)
        #expect(bed.delegate.ended == [])
        goes = nil
        bed.turn()
        bed.turn()
        #expect(bed.delegate.ended == [2])
        stays.send("{\"cmd\":\"ping\"}\n")
        bed.turn()
        #expect(stays.read() == "{\"reply\":\"ping\",\"ok\":true}\n")
        #expect(bed.delegate.ended == [2])
    }
}
