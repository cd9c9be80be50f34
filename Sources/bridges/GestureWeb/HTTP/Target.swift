// SPDX-License-Identifier: MIT
#if Web

/// The parsed target of a request.
struct Target {
    /// The decoded path, which begins with `/`.
    var path: String
    /// The decoded parameters, in the order in which they appear in the target.
    var query: [(name: String, value: String)] = []

    /// - Returns: `nil` if the text is not a path or if the decoded text is not UTF-8.
    init?(_ uri: String) {
        guard uri.hasPrefix("/") else { return nil }
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = Self.decoded(parts[0], plusIsSpace: false) else { return nil }
        self.path = path
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.dropFirst().first ?? "") else {
                return nil
            }
            query.append((name, value))
        }
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool = true) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let code = UInt8(String(Substring(digits)), radix: 16),
                rest.first != UInt8(ascii: "+")
            else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(code)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
#endif
