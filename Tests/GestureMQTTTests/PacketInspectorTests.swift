// SPDX-License-Identifier: MIT
#if MQTT
import Testing

@testable import GestureMQTT

/// Packets of MQTT 5, as a broker may send them.
@Suite("Packets of a broker")
struct PacketInspectorTests {
    /// The kinds of packets with properties: the first byte, and what comes before the properties and after them.
    private static let kinds: [(name: String, command: UInt8, before: [UInt8], after: [UInt8])] = [
        ("CONNACK", 0x20, [0, 0], []), ("PUBLISH", 0x30, [0, 1, 0x61], [0x7F, 1, 2]),
        ("PUBLISH 1", 0x32, [0, 2, 0x61, 0x62, 0, 9], []), ("PUBLISH 2", 0x3D, [0, 0, 0, 9], [0x7F]),
        ("PUBACK", 0x40, [0, 1, 0], []), ("PUBREC", 0x50, [0, 1, 0x10], []), ("PUBREL", 0x62, [0, 1, 0], []),
        ("PUBCOMP", 0x70, [0, 1, 0], []), ("SUBACK", 0x90, [0, 1], [1, 0x87]), ("UNSUBACK", 0xB0, [0, 1], [0]),
        ("DISCONNECT", 0xE0, [0x8B], []), ("AUTH", 0xF0, [0x18], []),
    ]

    /// A value of each property of MQTT 5.
    private static let properties: [UInt8: [UInt8]] = [
        0x01: [1], 0x02: [0, 0, 0, 9], 0x03: [0, 1, 0x61], 0x08: [0, 1, 0x61], 0x09: [0, 2, 0x7F, 0x7F],
        0x0B: [0x80, 0x80, 0x01], 0x11: [0, 0, 0, 9], 0x12: [0, 0], 0x13: [0, 9], 0x15: [0, 1, 0x61],
        0x16: [0, 1, 0x7F],
        0x17: [1], 0x18: [0, 0, 0, 9], 0x19: [1], 0x1A: [0, 0], 0x1C: [0, 0], 0x1F: [0, 3, 0x7F, 0x7F, 0x7F],
        0x21: [0, 9],
        0x22: [0, 9], 0x23: [0, 9], 0x24: [1], 0x25: [1], 0x26: [0, 1, 0x61, 0, 2, 0x7F, 0x7F], 0x27: [0, 0, 0, 9],
        0x28: [1], 0x29: [1], 0x2A: [1],
    ]

    private static func number(_ value: Int) -> [UInt8] {
        let digit = UInt8(value % 128)
        return value < 128 ? [digit] : [digit | 0x80] + number(value / 128)
    }

    private static func packet(
        _ kind: (name: String, command: UInt8, before: [UInt8], after: [UInt8]), _ properties: [UInt8],
        announced: Int? = nil
    ) -> [UInt8] {
        let body = kind.before + number(announced ?? properties.count) + properties + kind.after
        return [kind.command] + number(body.count) + body
    }

    /// The reason why a packet must not reach the library; `nil` if it may. The bytes come in pieces of this size.
    private func problem(_ bytes: [UInt8], pieces: Int) -> String? {
        var inspector = PacketInspector()
        var start = 0
        do throws(BrokerError) {
            while start < bytes.count {
                let end = min(bytes.count, start + pieces)
                try inspector.look(at: bytes[start..<end])
                start = end
            }
            return nil
        } catch {
            return error.cause
        }
    }

    @Test("properties that MQTT 5 has may pass in each packet, alone and together, in pieces of any size")
    func known() {
        let single: [[UInt8]] = Self.properties.sorted { $0.key < $1.key }.map { [$0.key] + $0.value }
        let all = single.flatMap { $0 }
        let twice = all + all
        let lists: [[UInt8]] = single + [[], all, twice]
        var stream: [UInt8] = []
        for kind in Self.kinds {
            for list in lists { stream += Self.packet(kind, list) }
        }
        for pieces in [1, 2, 3, 7, 1000, stream.count] { #expect(problem(stream, pieces: pieces) == nil) }
    }

    @Test("any other property is refused as soon as its identifier is there, in each packet")
    func unknown() {
        let known: [UInt8] = [0x1F, 0, 1, 0x61]
        for kind in Self.kinds {
            for id in 0...255 where Self.properties[UInt8(id)] == nil {
                for before in [[], known] {
                    let packet = Self.packet(kind, before + [UInt8(id), 0, 0, 0, 0])
                    let end = packet.count - 4 - kind.after.count
                    #expect(
                        problem(packet, pieces: 1)?.contains("which MQTT 5 does not have") == true, "\(kind.name) \(id)"
                    )
                    #expect(problem(Array(packet[..<end]), pieces: end) != nil)
                    #expect(problem(Array(packet[..<(end - 1)]), pieces: end) == nil)
                }
            }
        }
    }

    /// The library would take what follows for further properties.
    @Test("a property that is longer than the properties together is refused")
    func tooLong() {
        for kind in Self.kinds {
            for (id, value) in Self.properties {
                for announced in 1..<(1 + value.count) {
                    let packet = Self.packet(kind, [id] + value, announced: announced)
                    #expect(
                        problem(packet, pieces: 1) == "the broker has sent a malformed packet", "\(kind.name) \(id)")
                }
            }
            let endless = Self.packet(kind, [0xFF, 0xFF, 0xFF, 0xFF, 1], announced: 0x7F).filter { $0 != 0x7F }
            #expect(problem(endless, pieces: 1) != nil)
        }
        #expect(problem([0x30, 0xFF, 0xFF, 0xFF, 0xFF], pieces: 1) == "the broker has sent a malformed packet")
    }

    @Test("what the library handles itself may pass: packets without properties, or that are too short")
    func others() {
        for packet: [UInt8] in [
            [0x20, 2, 0, 1], [0x40, 2, 0, 1], [0x40, 3, 0, 1, 0x10], [0xE0, 0], [0xE0, 1, 0], [0xE0, 2, 0, 0],
            [0xD0, 0],
            [0x00, 3, 1, 2, 3], [0x10, 2, 0x7F, 0x7F], [0x30, 0], [0x30, 1, 0], [0x30, 2, 0, 9], [0x30, 4, 0, 9, 1, 2],
            [0x90, 1, 0], [0x90, 2, 0, 1], [0x90, 3, 0, 1, 0x80], [0xF0, 0], [0xF0, 1, 0],
            // The properties are announced to be longer than the packet.
            [0x90, 4, 0, 1, 100, 0x1F], [0x90, 5, 0, 1, 100, 0x1F, 0], [0x90, 6, 0, 1, 100, 0x1F, 0, 50],
        ] {
            // A further packet shows that the end of the first one was found.
            for pieces in [1, 100] {
                #expect(problem(packet + [0x30, 5, 0, 1, 0x61, 0, 0x7F], pieces: pieces) == nil, "\(packet)")
                #expect(problem(packet + [0x30, 5, 0, 1, 0x61, 1, 0x7F], pieces: pieces) != nil, "\(packet)")
            }
        }
    }

    @Test("a long payload is skipped")
    func payload() {
        let payload = [UInt8](repeating: 0x7F, count: 1 << 20)
        let packet = Self.packet(("PUBLISH", 0x30, [0, 1, 0x61], payload), [])
        #expect(problem(packet + packet, pieces: 16_384) == nil)
        #expect(problem(packet + Self.packet(Self.kinds[1], [0x7F]), pieces: 16_384) != nil)
    }
}
#endif
