// SPDX-License-Identifier: MIT
import CLinux

/// Reads whether the displays of this machine are off. Each call reads the files anew, because displays can be switched
/// and plugged in at any time.
package enum DisplayPower {
    private static let connectors = "/sys/class/drm"
    private static let backlights = "/sys/class/backlight"

    /// Whether every display that the kernel knows is off; `false` if it knows none.
    package static func isOff() -> Bool {
        let powers = folders(in: connectors).filter { word(in: $0 + "/status") == "connected" }
            .compactMap { word(in: $0 + "/dpms") }
        if !powers.isEmpty, powers.allSatisfy({ $0 != "on" }) { return true }
        // A backlight belongs to a built-in display. With several displays, another one may be on.
        let lights = powers.count > 1 ? [] : folders(in: backlights)
        return !lights.isEmpty && lights.allSatisfy(isDark)
    }

    /// Whether a file contains `0` or `off`. A file that cannot be read does not.
    package static func isOff(file: String) -> Bool { ["0", "off"].contains(word(in: file)) }

    /// Whether a backlight is switched off (`bl_power` has values of the kernel's `FB_BLANK`), or dimmed to nothing.
    private static func isDark(_ backlight: String) -> Bool {
        if let power = word(in: backlight + "/bl_power"), power != "0" { return true }
        return word(in: backlight + "/actual_brightness") == "0"
    }

    private static func folders(in parent: String) -> [String] {
        var result: [String] = []
        try? forEachName(in: parent) { name in
            let name = String(cString: name)
            if !name.hasPrefix(".") { result.append("\(parent)/\(name)") }
        }
        return result
    }

    /// Reads a file that contains one word.
    /// - Returns: the word in lower case; `nil` if there is none, or if the file cannot be read without waiting.
    private static func word(in file: String) -> String? {
        guard let descriptor = try? OwnedDescriptor(opening: file, flags: O_RDONLY | O_NONBLOCK) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor.rawValue, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        let words = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? words[0].lowercased() : nil
    }
}
