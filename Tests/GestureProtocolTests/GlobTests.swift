// SPDX-License-Identifier: MIT
import GestureProtocol
import Testing

@Suite("Globs and suggestions")
struct GlobTests {
    @Test(
        "globs match whole names",
        arguments: [
            ("*", "", true), ("*", "anything", true), ("map", "map", true), ("map", "maps", false),
            ("map", "Map", false), ("kiosk.*", "kiosk.ok", true), ("kiosk.*", "kiosk.", true),
            ("kiosk.*", "kioskxok", false), ("?", "a", true), ("?", "", false), ("?", "ab", false), ("?", "ä", true),
            ("b?tton*", "button_17", true), ("*_17", "button_17", true), ("*a*b*c*", "xxaxxbxxc", true),
            ("*a*b*c*", "xxaxxcxxb", false), ("*aab", "aaaaaab", true), ("", "", true), ("", "a", false),
            ("a**b", "ab", true), ("*ö?", "größe", false), ("*öß?", "größe", true),
        ])
    func globs(pattern: String, name: String, matches: Bool) {
        #expect(Glob(pattern).matches(name) == matches)
    }

    @Test(
        "suggestions",
        arguments: [
            ("region", "regions"), ("satus", "status"), ("sttaus", "status"), ("x", nil), ("", nil), ("reload", nil),
            ("evnts", "events"), (String(repeating: "s", count: 65), nil),
        ])
    func suggestions(word: String, nearest: String?) {
        #expect(LikelyWord.nearest(to: word, among: ["regions", "status", "events", "gestures"]) == nearest)
    }
}
