// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// Limits on the memory that clients' definitions may use.
@Suite("Daemon: the size of definitions")
struct DefinitionSizeTests {
    /// A region of 19 KB of compact JSON.
    private static func large(_ id: String) -> String {
        let steps = Array(repeating: #""tap ok""#, count: 32).joined(separator: ",")
        let gestures = (0..<63).map { #"{"type":"pattern","name":"p\#($0)","steps":[\#(steps)]}"# }
        return
            #"{"id":"\#(id)","shape":{"rect":[0,700,10,10]},"gestures":[{"type":"press"},\#(gestures.joined(separator: ","))]}"#
    }

    /// Adds regions until the daemon refuses one.
    /// - Returns: the number of accepted regions, and the reply to the refused one.
    private func fill(
        _ client: SocketClient, _ name: String, isLease: Bool
    ) throws -> (count: Int, error: JSONLine) {
        for number in 0..<100 {
            let reply = try client.request(Self.put(Self.large("\(name)\(number)"), isLease: isLease))
            guard reply.flag("ok") == true else { return (number, try #require(reply.object("error"))) }
        }
        throw TestFailure("the daemon refused no region")
    }

    private static func put(_ region: String, isLease: Bool, _ more: String = "") -> String {
        #"{"cmd":"put_region","id":14,"lease":\#(isLease),"region":\#(region)\#(more)}"#
    }

    @Test("one user: 512 KiB of leases on all connections, then busy; removing regions makes room")
    func user() throws {
        let harness = try PanelHarness()
        let size = Self.large("a10").utf8.count
        let (count, error) = try fill(harness.client, "a", isLease: true)
        #expect(count == 524_288 / size || count == 524_288 / size + 1)
        #expect(error["code"] == "busy")
        #expect(error["message"]?.hasPrefix("region \"a\(count)\": the regions that uid ") == true)
        #expect(error["message"]?.contains("more than 524288 bytes as compact JSON; remove some, or give") == true)
        let other = try harness.daemon.connect(toPanel: "panel")
        let request = #"{"cmd":"define_regions","id":7,"lease":true,"regions":[\#(Self.large("b"))]}"#
        let refusal = try #require(other.request(request).object("error"))
        #expect(refusal["message"]?.hasPrefix("regions: the regions that uid ") == true)
        // Replacing a region does not count it twice.
        #expect(try harness.client.request(Self.put(Self.large("a0"), isLease: true)).flag("ok") == true)
        try harness.client.request(#"{"cmd":"remove_region","id":15,"lease":true,"region":"a0"}"#)
        #expect(try other.request(request).flag("ok") == true)
    }

    @Test("all clients together: 2000 regions, then busy, and nothing is lost; removing regions makes room")
    func number() throws {
        let harness = try PanelHarness()
        func define(_ row: Int, _ count: Int) -> String {
            let regions = (0..<count).map {
                #"{"id":"r\#(row)_\#($0)","shape":{"rect":[\#($0),\#(700 + row),1,1]},"gestures":["tap"]}"#
            }
            return #"{"cmd":"define_regions","id":7,"lease":true,"regions":[\#(regions.joined(separator: ","))]}"#
        }
        func put(_ id: String) throws -> JSONLine {
            let region = #"{"id":"\#(id)","shape":{"rect":[0,600,1,1]},"gestures":["tap"]}"#
            return try harness.client.request(Self.put(region, isLease: true))
        }
        func count() throws -> Double? { try harness.client.request(#"{"cmd":"status","id":3}"#).number("regions") }
        let others = try (0..<8).map { _ in try harness.daemon.connect(toPanel: "panel") }
        for (row, client) in others.enumerated() {
            #expect(try client.request(define(row, row == 7 ? 249 : 250)).flag("ok") == true)
        }
        #expect(try put("last").flag("ok") == true)
        let written = 1.0
        let message = "all clients together may define at most 2000 regions; "
        for reply in [try put("more"), try others[0].request(define(0, 251))] {
            let error = try #require(reply.object("error"))
            #expect(error["code"] == "busy")
            #expect(error["message"]?.hasPrefix(message) == true)
            #expect(try count() == written + 2000)
        }
        // Replacing a region does not count it twice.
        #expect(try put("last").flag("ok") == true)
        #expect(try others[0].request(define(0, 249)).flag("ok") == true)
        #expect(try put("more").flag("ok") == true)
        #expect(try count() == written + 2000)
        try harness.press()
    }

    @Test("a change that waits counts in addition to the region that it replaces")
    func waiting() throws {
        let harness = try PanelHarness()
        let last = "a\(try fill(harness.client, "a", isLease: true).count - 1)"
        try harness.press(x: 20, y: 2820, on: last)
        let reply = try harness.client.request(Self.put(Self.large(last), isLease: true, #","wait":true"#))
        #expect(reply.object("error")?["code"] == "busy")
    }

    @Test("all clients together: 1 MiB, and the daemon continues")
    func together() throws {
        let harness = try PanelHarness()
        let size = Self.large("a10").utf8.count
        let (count, error) = try fill(harness.client, "a", isLease: false)
        #expect(count == 1_048_576 / size || count == 1_048_576 / size + 1)
        #expect(error["code"] == "busy")
        #expect(error["message"]?.contains("of all clients together would take more than 1048576 bytes") == true)
        try harness.press()
    }
}
