// SPDX-License-Identifier: MIT

extension ValueReader {
    /// Ids and names are part of every line of the socket, which has an end.
    static let longestName = 64

    /// A gesture's label: anything printable.
    func name(_ key: String, _ value: TomlValue) -> String? {
        guard let text = string(key, value) else { return nil }
        let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard !text.isEmpty, text.utf8.count <= Self.longestName, isPrintable else {
            report.error(
                .badValue, "\(key) must be 1 to \(Self.longestName) bytes without control characters",
                at: value.region)
            return nil
        }
        return text
    }

    /// An id: printable, and nothing that globs or lists of ids would take apart.
    func identifier(_ key: String, _ value: TomlValue) -> String? {
        guard let text = name(key, value) else { return nil }
        let special: [Unicode.Scalar] = [" ", "*", "?", "\"", "\\"]
        if let bad = text.unicodeScalars.first(where: { special.contains($0) }) {
            report.error(.badValue, "\(key) \"\(text)\" must not contain '\(bad)'", at: value.region)
            return nil
        }
        return text
    }
}
