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

    // The texts are not arguments of the test, because its report would print them without escaping.
    @Test("control characters never reach a log or a terminal")
    func controls() {
        #expect(SafeText.log("a\u{1B}[2Jb\u{9B}\tc\u{202E}") == "a?[2Jb?\tc?")
        #expect(SafeText.log("abcdef", limit: 5) == "ab...")
        #expect(SafeText.source("a\u{1B}\u{9B}\tc\u{202E}", limit: 5) == "a\u{FFFD}\u{FFFD}\tc")
        #expect(SafeText.device("a\u{200B}b\u{2028}c\u{FEFF}\u{2069}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}")
        #expect(SafeText.terminal("a\u{1B}[2Jb\t\u{202E}Größe") == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}Größe")
    }

    @Test("invisible characters and changes of direction are never shown, neither as text nor in JSON")
    func invisible() {
        let named: [ClosedRange<UInt32>] = [
            0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0,
            0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
        ]
        #expect(named.joined().compactMap { Unicode.Scalar($0) }.allSatisfy { SafeText.isUnsafe($0) })
        #expect("aß→日本ไทยह😀ж\u{A0}\u{301}".unicodeScalars.allSatisfy { !SafeText.isUnsafe($0) })
        var raw: [UInt32] = []
        for scalar in (0...0x10FFFF).compactMap({ Unicode.Scalar($0 as UInt32) }) where SafeText.isUnsafe(scalar) {
            var json = JSONWriter()
            json.value(String(scalar))
            if json.bytes.contains(where: { $0 >= 0x7F || $0 < 0x20 }) { raw.append(scalar.value) }
        }
        #expect(raw.isEmpty)
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
