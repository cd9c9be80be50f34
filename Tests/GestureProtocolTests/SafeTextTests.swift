// SPDX-License-Identifier: MIT
import GestureProtocol
import Testing

@Suite("Text from outside, made safe to show")
struct SafeTextTests {
    @Test("a name of a device has at most 128 bytes")
    func names() {
        #expect(SafeText.name(String(repeating: "n", count: 128)).utf8.count == 128)
        #expect(SafeText.name(String(repeating: "ü", count: 65)) == String(repeating: "ü", count: 62) + "...")
    }

    // Not arguments of the test: its report would print them as they are.
    @Test("control characters never reach a log or a terminal")
    func controls() {
        #expect(SafeText.log("a\u{1B}[2Jb\u{9B}\tc\u{202E}") == "a?[2Jb?\tc?")
        #expect(SafeText.log("abcdef", limit: 5) == "ab...")
        #expect(SafeText.source("a\u{1B}\u{9B}\tc\u{202E}", limit: 5) == "a\u{FFFD}\u{FFFD}\tc")
        #expect(SafeText.device("a\u{200B}b\u{2028}c\u{FEFF}\u{2069}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}")
        #expect(SafeText.terminal("a\u{1B}[2Jb\t\u{202E}Größe") == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}Größe")
    }

    @Test("a field of a file is quoted, and cut after 32 bytes")
    func fields() {
        #expect(SafeText.field("a\u{1B}ä".utf8) == "\"a???\"")
        let long = String(repeating: "x", count: 32)
        #expect(SafeText.field((long + "x").utf8) == "\"\(long)…\"")
    }

    @Test("a word of a request is cut after 32 characters")
    func excerpts() {
        #expect(SafeText.excerpt(String(repeating: "x", count: 64)) == String(repeating: "x", count: 64))
        #expect(SafeText.excerpt(String(repeating: "x", count: 65)) == String(repeating: "x", count: 32) + "…")
    }
}
