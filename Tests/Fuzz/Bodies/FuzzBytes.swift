// SPDX-License-Identifier: MIT

/// Reads numbers from a fuzzer's bytes. After the last byte, all numbers are 0.
struct FuzzBytes {
    private let bytes: UnsafeRawBufferPointer
    private var next = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { next >= bytes.count }

    mutating func byte() -> UInt8 {
        guard next < bytes.count else { return 0 }
        defer { next += 1 }
        return bytes[next]
    }

    /// Reads a number, least significant byte first, so that a change of the first byte changes it only a little.
    mutating func int16() -> Int16 {
        let low = UInt16(byte())
        return Int16(bitPattern: low | UInt16(byte()) << 8)
    }

    mutating func int32() -> Int32 {
        let low = UInt32(UInt16(bitPattern: int16()))
        return Int32(bitPattern: low | UInt32(UInt16(bitPattern: int16())) << 16)
    }

    /// Reads a number from 0 to `limit` - 1.
    mutating func below(_ limit: Int) -> Int { limit > 1 ? Int(byte()) % limit : 0 }

    /// Reads a number from 0 to 1 in steps of 1/64.
    mutating func fraction() -> Double { Double(byte() % 65) / 64 }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func flip() -> Bool { byte() & 1 == 1 }
}
