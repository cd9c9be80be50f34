// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("gesturectl web")
struct WebTests {
    @Test("Without a bridge it states how to start one", arguments: ["127.0.0.1:1", "[::1]:1", "localhost:1"])
    func nobody(address: String) throws {
        let result = try Tool.run(["web", "--address", address])
        #expect(result.status == 69)
        #expect(result.output == "")
        #expect(result.errors.contains("systemctl enable --now gestured-web.socket"))
    }

    @Test("A malformed address is wrong usage", arguments: ["8990", "localhost", "a:b", "a:99999"])
    func usage(address: String) throws {
        let result = try Tool.run(["web", "--address", address])
        #expect(result.status == 64)
        #expect(result.errors.contains("is not an address; use one such as 127.0.0.1:8990"))
    }
}
