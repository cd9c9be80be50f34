// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol
import GestureTestSupport
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
        "random patterns and names match according to the definition", arguments: [1, 2, 3])
    func rule(seed: UInt64) {
        var random = SeededRandom(seed)
        let letters: [Character] = ["a", "b", "ä", "ö", "€", "*", "?"]
        var fits = 0
        for _ in 0..<5000 {
            let pattern = (0..<Int.random(in: 0...7, using: &random)).compactMap { _ in
                letters.randomElement(using: &random)
            }
            let name = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                letters.prefix(5).randomElement(using: &random)
            }
            let expected = Self.fits(name[...], pattern[...])
            #expect(Glob(String(pattern)).matches(String(name)) == expected, "\(String(pattern)) \(String(name))")
            if expected { fits += 1 }
        }
        #expect(fits > 100)
    }

    /// The definition of a match, without optimizations.
    private static func fits(_ name: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if first == "*" {
            return fits(name, pattern.dropFirst()) || (!name.isEmpty && fits(name.dropFirst(), pattern))
        }
        return !name.isEmpty && (first == "?" || first == name.first) && fits(name.dropFirst(), pattern.dropFirst())
    }

    @Test("names of any length", arguments: [63, 64, 65, 300])
    func long(count: Int) {
        let name = String(repeating: "n", count: count)
        #expect(Glob(name).matches(name))
        #expect(Glob("*" + name + "**").matches(name))
        #expect(Glob(String(repeating: "?", count: count)).matches(name))
        #expect(!Glob(name).matches(name + "n"))
        #expect(!Glob(name).matches(String(name.dropLast())))
        #expect(Glob("n*" + String(repeating: "*", count: 200) + "n").matches(name))
        #expect(!Glob(String(repeating: "*n", count: 40) + "m").matches(name))
    }

    @Test(
        "suggestions",
        arguments: [
            ("region", "regions"), ("satus", "status"), ("sttaus", "status"), ("x", nil), ("", nil), ("reload", nil),
            ("evnts", "events"), ("z", nil), (String(repeating: "s", count: 65), nil),
        ])
    func suggestions(word: String, nearest: String?) {
        #expect(Spelling.nearest(to: word, among: ["regions", "status", "events", "gestures"]) == nearest)
    }

    @Test(
        "the first word of a key stands for the key",
        arguments: [
            ("pasword", "password_file"), ("password", "password_file"), ("min", nil), ("dist", nil),
            ("users", "user"), ("distanc", "distance_mm"),
        ])
    func firstWords(word: String, nearest: String?) {
        let names = ["user", "password_file", "password_credential", "distance_mm", "min_gap"]
        #expect(Spelling.nearest(to: word, among: names, ignoringCase: true) == nearest)
    }

    /// Words in a request are compared by their bytes. Words in a configuration are compared by their characters,
    /// ignoring case.
    @Test(
        "suggestions of a request and of a configuration",
        arguments: [
            ("statsu", "status", true, true), ("STATUS", "status", false, true), ("abcdef", "abcd", true, true),
            ("abcd", "abcdef", false, true), ("päx", "pax", false, true), ("ab", "abcd", false, false),
            ("xs", "x", true, true), ("x", "X", false, true), ("z", "x", false, false), ("zz", "z", true, true),
        ])
    func kinds(word: String, name: String, request: Bool, configuration: Bool) {
        #expect((Spelling.nearest(to: word, among: [name]) == name) == request)
        #expect((Spelling.nearest(to: word, among: [name], ignoringCase: true) == name) == configuration)
    }
}
