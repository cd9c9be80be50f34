// SPDX-License-Identifier: MIT

/// Makes text from outside (names of devices and files, words of clients) safe to show: one function for each use.
package enum SafeText {
    /// For a line of a log: what `isUnsafe` but the tab becomes `?`; cut after `limit` bytes.
    ///
    /// 1024: less than what a pipe takes as a whole (`PIPE_BUF`, 4096), and enough for a path.
    package static func log(_ text: String, limit: Int = 1024) -> String {
        clipped(replacing(text, with: "?") { isUnsafe($0) && $0 != "\t" }, to: limit)
    }

    /// For a name within a line: at most 128 bytes.
    package static func name(_ text: String) -> String { clipped(text, to: 128) }

    /// For a terminal: what `isUnsafe` becomes U+FFFD.
    package static func terminal(_ text: String) -> String { replacing(text, with: "\u{FFFD}", where: isUnsafe) }

    /// What a device says of itself, for every use: what `isUnsafe` becomes U+FFFD.
    package static func device(_ text: String) -> String { replacing(text, with: "\u{FFFD}", where: isUnsafe) }

    /// For a diagnostic that quotes a file: what `isUnsafe` but the tab becomes U+FFFD; at most `limit` scalars.
    package static func source(_ text: String, limit: Int) -> String {
        let isShort = text.utf8.count <= limit
        let text = isShort ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
        return replacing(text, with: "\u{FFFD}") { isUnsafe($0) && $0 != "\t" }
    }

    /// For an error about a field of a file: in quotes, at most 32 bytes; all but printable ASCII becomes `?`.
    package static func field(_ bytes: some Collection<UInt8>) -> String {
        let shown = bytes.prefix(32).map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
        return "\"" + String(decoding: shown, as: UTF8.self) + (bytes.count > 32 ? "…\"" : "\"")
    }

    /// For an error that quotes a request: of more than 64 bytes only the first 32 characters.
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

    /// Whether a scalar does something to the text around it, or cannot be seen: control characters (C0, DEL, C1),
    /// format characters (Cf: among them all that change the direction of text, and tags), what Unicode lets programs show
    /// as nothing (Default_Ignorable_Code_Point: variation selectors, fillers), and separators of lines and paragraphs.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: return true
        case 0x20..<0xAD: return false
        default:
            let properties = scalar.properties
            return properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
        }
    }

    /// Whether a byte of UTF-8 may be the first of a scalar that `isUnsafe`.
    static func mayBeginUnsafe(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0x7F, 0xC2, 0xCD, 0xD8, 0xDB, 0xDC, 0xE0...0xE3, 0xEF, 0xF0, 0xF3: true
        default: false
        }
    }

    /// Cuts between scalars, so that at most `limit` bytes remain with the `...` at the end.
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
