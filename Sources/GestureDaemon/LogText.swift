// SPDX-License-Identifier: MIT

/// Makes what comes from outside fit for a log: names of devices and files may hold anything.
enum LogText {
    /// Bytes of one line. Below what a pipe takes as a whole (`PIPE_BUF`, 4096), and enough for a path.
    static let longestLine = 1024
    /// Bytes of a name that a device or a client has chosen.
    static let longestName = 128

    /// A line of at most 1 KiB without control characters (C0 but the tab, C1, DEL): a terminal would obey them.
    static func safe(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        if isPlain, text.utf8.count <= longestLine { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl = (scalar.value < 0x20 && scalar != "\t") || (0x7F...0x9F).contains(scalar.value)
            result.unicodeScalars.append(isControl ? "?" : scalar)
        }
        return clipped(result, to: longestLine)
    }

    /// A name of at most 128 bytes.
    static func name(_ text: String) -> String { clipped(text, to: longestName) }

    /// Cut between characters; what was cut is told by three dots.
    private static func clipped(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var end = text.startIndex
        var room = bytes - 3
        for scalar in text.unicodeScalars {
            room -= UTF8.width(scalar)
            if room < 0 { break }
            end = text.unicodeScalars.index(after: end)
        }
        return String(text[..<end]) + "..."
    }
}
