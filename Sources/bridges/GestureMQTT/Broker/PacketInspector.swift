// SPDX-License-Identifier: MIT
#if MQTT
import GestureProtocol

/// Looks at the packets of MQTT 5 that a broker sends, before libmosquitto reads them.
///
/// A property that the library does not know ends the program, because the library (at least up to 2.0.20) violates an
/// assertion of its own. It takes what follows the properties for further ones if one of them is longer than all of them
/// together should be. Other mistakes are left to the library, which reports them.
struct PacketInspector {
    /// A part of a packet before its payload.
    private enum Part: Hashable {
        case bytes(Int)
        /// A length of two bytes, followed by as many bytes.
        case text
        /// A number of up to four bytes with seven bits each.
        case number
        /// The length of the properties as such a number, followed by the properties.
        case properties
        /// The identifier of a property. Its value follows, and then the next property.
        case property
    }

    private enum Place {
        case command, length, body
    }

    private var place = Place.command
    private var command: UInt8 = 0
    /// The number that is being read, and how many of its bytes have been read.
    private var (number, digits) = (0, 0)
    /// The number of bytes of the packet that follow.
    private var left = 0
    /// The number of bytes of the properties that follow; `nil` outside of them.
    private var properties: Int?
    /// The parts that follow, the next one last.
    private var parts: [Part] = []
    /// The number of bytes that follow and whose values do not matter.
    private var skipped = 0

    /// Looks at the next bytes of the connection.
    /// - Throws: an error if the library must not read them.
    mutating func look(at bytes: ArraySlice<UInt8>) throws(BrokerError) {
        var rest = bytes
        while let byte = rest.first {
            if skipped > 0 {
                let count = min(skipped, rest.count)
                rest.removeFirst(count)
                skipped -= count
                continue
            }
            rest.removeFirst()
            try take(byte)
        }
    }

    private mutating func take(_ byte: UInt8) throws(BrokerError) {
        switch place {
        case .command:
            command = byte
            (place, number, digits) = (.length, 0, 0)
        case .length:
            guard try append(byte) else { return }
            left = number
            place = .body
            begin()
            try advance()
        case .body:
            left -= 1
            properties = properties.map { $0 - 1 }
            if try takePart(byte) { try advance() }
        }
    }

    /// Adds a byte to a number with seven bits in each byte.
    /// - Returns: whether the number is complete.
    private mutating func append(_ byte: UInt8) throws(BrokerError) -> Bool {
        number |= Int(byte & 0x7F) << (7 * digits)
        digits += 1
        if byte < 0x80 { return true }
        if digits == 4 { throw Self.malformed }
        return false
    }

    /// Lists the parts of the packet that has begun.
    private mutating func begin() {
        parts =
            switch command >> 4 {
            // Without properties, the packet is that of a broker for MQTT 3.1.1 that refuses the version.
            case 2: left > 2 ? [.properties, .bytes(2)] : []
            case 3: [.properties] + (command & 6 == 0 ? [] : [.bytes(2)]) + [.text]
            case 4...7: left > 3 ? [.properties, .bytes(3)] : []
            case 9, 11: [.properties, .bytes(2)]
            case 14: left > 2 ? [.properties, .bytes(1)] : []
            case 15: [.properties, .bytes(1)]
            default: []
            }
    }

    /// Goes on to the next part that has bytes to look at, or to the end of the packet.
    private mutating func advance() throws(BrokerError) {
        while let part = parts.last {
            if properties == 0 {
                guard part == .property else { throw Self.malformed }
                properties = nil
                parts.removeLast()
            } else if case .bytes(let count) = part {
                parts.removeLast()
                try skip(count)
            } else {
                guard left > 0 else { break }
                return (number, digits) = (0, 0)
            }
        }
        skipped += left
        (place, left, properties, parts) = (.command, 0, nil, [])
    }

    private mutating func skip(_ count: Int) throws(BrokerError) {
        if let properties, properties < count { throw Self.malformed }
        properties = properties.map { $0 - count }
        skipped += min(count, left)
        left -= min(count, left)
    }

    /// - Returns: whether the part is complete.
    private mutating func takePart(_ byte: UInt8) throws(BrokerError) -> Bool {
        switch parts.last {
        case .text:
            number = number << 8 | Int(byte)
            digits += 1
            guard digits == 2 else { return try endsHere() }
            parts.removeLast()
            try skip(number)
        case .number:
            guard try append(byte) else { return try endsHere() }
            parts.removeLast()
        case .properties:
            guard try append(byte) else { return try endsHere() }
            parts.removeLast()
            properties = number
            parts.append(.property)
        case .property:
            guard let value = Self.values[byte] else {
                throw BrokerError(
                    cause:
                        "the broker has sent the property 0x\(padded(UInt32(byte), to: 2, radix: 16)), which MQTT 5 does "
                        + "not have", isOfPacket: true)
            }
            parts += value
        case .bytes, nil: break
        }
        return true
    }

    /// Whether the packet or the properties end within a part, so that `advance` must look at this.
    private func endsHere() throws(BrokerError) -> Bool { left == 0 || properties == 0 }

    private static let malformed = BrokerError(cause: "the broker has sent a malformed packet", isOfPacket: true)

    /// The parts of the value of each property, the first one last.
    private static let values: [UInt8: [Part]] = {
        var values: [UInt8: [Part]] = [0x0B: [.number], 0x26: [.text, .text]]
        for id: UInt8 in [0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A] { values[id] = [.bytes(1)] }
        for id: UInt8 in [0x13, 0x21, 0x22, 0x23] { values[id] = [.bytes(2)] }
        for id: UInt8 in [0x02, 0x11, 0x18, 0x27] { values[id] = [.bytes(4)] }
        for id: UInt8 in [0x03, 0x08, 0x09, 0x12, 0x15, 0x16, 0x1A, 0x1C, 0x1F] { values[id] = [.text] }
        return values
    }()
}
#endif
