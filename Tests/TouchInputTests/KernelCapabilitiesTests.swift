// SPDX-License-Identifier: MIT
import Testing

@testable import TouchInput

@Suite("Capabilities in sysfs")
struct KernelCapabilitiesTests {
    @Test(
        "give the classification of udev",
        arguments: [
            // A panel with slots, a touchpad and a keyboard, as Linux 6.1 shows them on 64 bits
            ("2", "400 0 0 0 0 0", "260800000000003", "TOUCHSCREEN"),
            ("5", "e520 10000 0 0 0 0", "660800011000003", "TOUCHPAD"),
            ("0", "10000 0 0 0 0", "3", "MOUSE"),
            ("0", "402000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe", "0", nil),
            // A panel without slots, which does not say that it is one
            ("0", "400 0 0 0 0 0", "3", "TOUCHSCREEN"),
            // A pen, and attributes that are missing or are not bitmaps
            ("2", "1c03 0 0 0 0 0", "1000003", "TABLET"), ("", "", "", nil), ("x", "-1", "fffffffffffffffff 1", nil),
        ] as [(String, String, String, String?)])
    func classification(properties: String, keys: String, axes: String, kind: String?) {
        let capabilities = KernelCapabilities(properties: properties, keys: keys, axes: axes)
        var expected = ["ID_INPUT": "1"]
        if let kind { expected["ID_INPUT_" + kind] = "1" }
        #expect(capabilities.classification == expected)
    }
}
