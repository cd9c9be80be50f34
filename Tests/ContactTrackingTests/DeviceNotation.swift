// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureTestSupport

/// Reads the descriptions of devices in the tables of `Tests/Cases`.
enum DeviceNotation {
    /// Reads axes such as `slot 0..9, x 0..1000/10 fuzz 4`: minimum, maximum, units per millimetre and fuzz. Returns
    /// `nil` if the text cannot be read.
    static func axes(_ text: String) -> [Int: AxisRange]? {
        var axes: [Int: AxisRange] = [:]
        for part in CaseTable.list(text) {
            let words = part.components(separatedBy: " ")
            guard words.count == 2 || words.count == 4 && words[2] == "fuzz", let code = TrackerScript.codes[words[0]]
            else { return nil }
            let range = words[1].components(separatedBy: "/")
            let ends = range[0].components(separatedBy: "..").compactMap { Int32($0) }
            guard ends.count == 2 else { return nil }
            axes[Int(code)] = AxisRange(
                minimum: ends[0], maximum: ends[1], fuzz: words.count == 4 ? Int32(words[3]) ?? 0 : 0,
                resolution: range.count == 2 ? Int32(range[1]) ?? 0 : 0)
        }
        return axes
    }

    /// - Parameter words: properties such as `direct` and udev's such as `ID_INPUT_TABLET`, separated by spaces.
    static func properties(_ words: String) -> (properties: Set<Int>, udev: [String: String]) {
        let words = CaseTable.list(words, separator: " ")
        let udev = words.filter { $0.hasPrefix("ID_INPUT") }.map { ($0, "1") }
        return (Set(words.compactMap { propertyCodes[$0] }), Dictionary(udev) { $1 })
    }

    static func keys(_ words: String) -> Set<Int> {
        Set(CaseTable.list(words, separator: " ").compactMap { keyCodes[$0] })
    }

    private static let propertyCodes = ["pointer": 0, "direct": 1, "buttonpad": 2, "semi_mt": 3]

    /// The codes of keys by name. The name `other` stands for any key that has no effect.
    private static let keyCodes = [
        "left": 0x110, "right": 0x111, "middle": 0x112, "pen": 0x140, "rubber": 0x141, "finger": 0x145, "touch": 0x14a,
        "stylus": 0x14b, "stylus2": 0x14c, "other": 0x1ff,
    ]
}
