// SPDX-License-Identifier: MIT
import GestureConfiguration
import Testing

@Suite("Ids and names")
struct IdentifierTests {
    private static let good = [
        "ok", "pad.1", "a-b_c", "floor/2:lift", "über", "кнопка", "按钮", "٣", String(repeating: "a", count: 64), "_-",
        "/",
    ]

    private static let bad = [
        "", "a b", "$(id)", "`id`", "a;b", "a'b", "a\"b", "a\\b", "*", "a?", "a\nb", "a\tb", "\u{1B}[31m", "a\u{202E}b",
        "a\u{200B}b", "\u{3164}", "a\u{301}", "😀", "-a", "--socket", "a=b", "a,b", "a|b", "a&b", "~", "a!", "#a", "(a)",
        "{a}",
        "[a]", "<a>", "a^b", "a%", "a+b", "a@b", "\u{2028}", "\u{85}", String(repeating: "a", count: 65),
        String(repeating: "é", count: 33),
    ]

    /// The text as a TOML string in which all characters are escaped.
    private func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        return "\"\(scalars.joined())\""
    }

    @Test("are accepted if they are valid", arguments: good)
    func right(name: String) {
        let text =
            "[[region]]\nid = \(escaped(name))\nshape = \"full\"\ngestures = [{ type = \"tap\", name = \(escaped(name)) }]"
        #expect(ConfigurationReader.read(text).configuration?.regions.map { $0.id } == [name])
        #expect(
            Configuration().readDefinitions([json(#"{"id":"\#(name)","shape":"full"}"#)], file: "r").rules?.count == 1)
    }

    @Test("are refused in files and in requests if they are invalid", arguments: bad)
    func wrong(name: String) {
        let id = "[[region]]\nid = \(escaped(name))\nshape = \"full\""
        let gesture =
            "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [{ type = \"tap\", name = \(escaped(name)) }]"
        let scene = "[[scene]]\nid = \(escaped(name))\nregions = []"
        let device = "[[device]]\nid = \(escaped(name))\nmatch = {}"
        for (text, place) in [(id, "t:2:6"), (gesture, "t:4:36"), (scene, "t:2:6"), (device, "t:2:6")] {
            let said = headlines(text)
            #expect(said.count == 1)
            #expect(said.first?.hasPrefix(place + ": error: ") == true, "\(said)")
            #expect(ConfigurationReader.read(text).configuration == nil)
        }
        let json = json(#"{"id":"a","shape":"full","gestures":[{"type":"tap","name":"\#(escapedJSON(name))"}]}"#)
        #expect(Configuration().readDefinitions([json], file: "r").rules == nil)
    }

    private func escapedJSON(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
