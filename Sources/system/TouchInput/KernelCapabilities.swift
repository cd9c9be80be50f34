// SPDX-License-Identifier: MIT
import ContactTracking

/// The capabilities of an input device as sysfs shows them. They replace udev's classification where udev does not run,
/// such as in a container without `/run/udev`.
struct KernelCapabilities: Hashable {
    /// The texts of the files `properties`, `capabilities/key` and `capabilities/abs`.
    var properties, keys, axes: String

    /// The properties that udev would set to classify the device.
    var classification: [String: String] {
        let axes = Self.bits(axes).map { ($0, AxisRange(minimum: 0, maximum: 0)) }
        let description = DeviceDescription(
            properties: Self.bits(properties), keys: Self.bits(keys),
            axes: Dictionary(axes, uniquingKeysWith: { first, _ in first }))
        var result = ["ID_INPUT": "1"]
        if let property = DeviceKind(description).property { result[property] = "1" }
        return result
    }

    /// Parses a bitmap: hexadecimal words without leading zeros, of which the first has the highest bits.
    private static func bits(_ text: String) -> Set<Int> {
        var result: Set<Int> = []
        let words = text.split { $0.isWhitespace }.reversed()
        for (index, word) in words.enumerated() {
            let value = UInt(word, radix: 16) ?? 0
            for bit in 0..<UInt.bitWidth where value >> bit & 1 != 0 { result.insert(index * UInt.bitWidth + bit) }
        }
        return result
    }
}
