// SPDX-License-Identifier: MIT
import GestureConfiguration

extension ValueReader {
    /// Reads the name of a topic without wildcards, such as `site/7`.
    func topic() -> String? {
        guard let text = label(matching: "^[^/+#$][^+#]*$") else { return nil }
        guard !text.contains("+"), !text.contains("#"), !text.hasPrefix("$"), !text.hasPrefix("/"), !text.hasSuffix("/")
        else {
            return error(
                .badValue, "\(name) must be a topic without + and #, and without / at its ends, not \"\(text)\"")
        }
        return text
    }

    func topicLevel() -> String? {
        guard let text = label(matching: "^[^/+#]+$") else { return nil }
        guard !text.contains("/"), !text.contains("+"), !text.contains("#") else {
            return error(.badValue, "\(name) must be one level of a topic, without / + and #, not \"\(text)\"")
        }
        return text
    }

    func host() -> String? {
        guard let text = string() else { return nil }
        let isName = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
        guard !text.isEmpty, text.utf8.count <= 253, isName else {
            return error(.badValue, "\(name) must be a name or an address such as \"broker.example\", not \"\(text)\"")
        }
        return text
    }

    func credential() -> String? {
        guard let text = label() else { return nil }
        guard !text.contains("/"), !text.hasPrefix(".") else {
            return error(.badValue, "\(name) must be the name of a credential of systemd, not a path")
        }
        return text
    }

    func globs() -> [String]? {
        array(of: "globs", each: "a glob")?.compactMap { $0.label() }
    }
}
