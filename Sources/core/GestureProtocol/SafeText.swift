// SPDX-License-Identifier: MIT

/// Makes text from outside (names of devices and files, text from clients) safe to show, with one function for each
/// use.
package enum SafeText {
    /// Text for a line of a log. Unsafe scalars except tabs become `?`, and the text is cut after `limit` bytes.
    ///
    /// 1024 bytes is enough for a path, and less than what a pipe writes atomically (`PIPE_BUF`, 4096).
    package static func log(_ text: String, limit: Int = 1024) -> String {
        clipped(replacing(text, with: "?") { isUnsafe($0) && $0 != "\t" }, to: limit)
    }

    /// A name within a line, cut to 128 bytes.
    package static func name(_ text: String) -> String { clipped(text, to: 128) }

    /// Text for a terminal. Unsafe scalars become U+FFFD.
    package static func terminal(_ text: String) -> String { replacing(text, with: "\u{FFFD}", where: isUnsafe) }

    /// Text that a device reports about itself. Unsafe scalars become U+FFFD.
    package static func device(_ text: String) -> String { replacing(text, with: "\u{FFFD}", where: isUnsafe) }

    /// Text of a file for a diagnostic, with at most `limit` scalars. Unsafe scalars except tabs become U+FFFD.
    package static func source(_ text: String, limit: Int) -> String {
        let isShort = text.utf8.count <= limit
        let text = isShort ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
        return replacing(text, with: "\u{FFFD}") { isUnsafe($0) && $0 != "\t" }
    }

    /// A field of a file for an error message, in quotes and with at most 32 bytes. Everything except printable ASCII
    /// becomes `?`.
    package static func field(_ bytes: some Collection<UInt8>) -> String {
        let shown = bytes.prefix(32).map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
        return "\"" + String(decoding: shown, as: UTF8.self) + (bytes.count > 32 ? "…\"" : "\"")
    }

    /// A part of a request for an error message. A text of more than 64 bytes is cut to its first 32 characters.
    package static func excerpt(_ text: String) -> String {
        text.utf8.count <= 64 ? text : String(text.prefix(32)) + "…"
    }

    private static func replacing(
        _ text: String, with replacement: Unicode.Scalar, where isUnsafe: (Unicode.Scalar) -> Bool
    ) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isUnsafe(scalar) ? replacement : scalar) }
        return String(result)
    }

    /// Whether a scalar affects the text around it or is invisible: control characters (C0, DEL, C1), format
    /// characters (Cf, which includes tags and all that change the direction of text), scalars that Unicode allows to
    /// be rendered as nothing (Default_Ignorable_Code_Point: variation selectors, fillers), and separators of lines
    /// and paragraphs.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: return true
        case 0x20..<0xAD: return false
        default:
            let properties = scalar.properties
            return properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
        }
    }

    /// Whether a byte of UTF-8 may be the first one of an unsafe scalar.
    static func mayBeginUnsafe(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0x7F, 0xC2, 0xCD, 0xD8, 0xDB, 0xDC, 0xE0...0xE3, 0xEF, 0xF0, 0xF3: true
        default: false
        }
    }

    /// Cuts the text between scalars to at most `limit` bytes, including the `...` at the end.
    private static func clipped(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        var room = limit - 3
        for scalar in text.unicodeScalars {
            room -= UTF8.width(scalar)
            if room < 0 { break }
            end = text.unicodeScalars.index(after: end)
        }
        return String(text[..<end]) + "..."
    }
}
