// SPDX-License-Identifier: MIT
import Testing

@testable import gesturectl

@Suite("Layout of text")
struct TextLayoutTests {
    private static func wrap(_ text: String, _ width: Int?) -> [String] {
        TextLayout(width: width).wrap(text, indent: "  ")
    }

    @Test(
        "lines are wrapped at words, and longer words are broken",
        arguments: [
            ("one two  three", nil, ["one two  three"]), ("one two  three", 14, ["one two  three"]),
            ("one two  three", 13, ["one two", "  three"]), ("one two  three", 6, ["one", "  two", "  thre", "  e"]),
            ("  one two", 7, ["  one", "  two"]), ("a 名名名", 6, ["a", "  名名", "  名"]),
            ("a e\u{301}e\u{301}e\u{301}", 4, ["a", "  e\u{301}e\u{301}", "  e\u{301}"]), ("名 a", 1, ["名", "a"]),
            ("\u{1B}[1mone\u{1B}[0m  two", 8, ["\u{1B}[1mone\u{1B}[0m  two"]),
            ("\u{1B}[1mone\u{1B}[0m  two", 7, ["\u{1B}[1mone\u{1B}[0m", "  two"]),
            ("one\u{A0}two three", nil, ["one two three"]), ("a one\u{A0}two", 9, ["a one two"]),
            ("and one\u{A0}two", 10, ["and", "  one two"]), ("", 1, [""]), ("   ", 1, [""]),
        ] as [(String, Int?, [String])])
    func wraps(text: String, width: Int?, lines: [String]) {
        #expect(Self.wrap(text, width) == lines)
    }

    @Test("each line of a text is indented by two columns more than its beginning")
    func indents() {
        #expect(TextLayout(width: 8).text("one two three\n  four five\n") == "one two\n  three\n  four\n    five\n")
    }

    @Test("text is cut to columns of the terminal, and says so")
    func cuts() {
        let layout = TextLayout()
        #expect(layout.cut("carousel", to: 8) == "carousel")
        #expect(layout.cut("carousel", to: 7) == "carous…")
        #expect(layout.cut("名名名", to: 4) == "名…")
        #expect(layout.cut("名名名", to: 1) == "")
        #expect(TextLayout(isASCII: true).cut("carousel", to: 7) == "caro...")
        #expect(TextLayout(isASCII: true).cut("carousel", to: 3) == "car")
    }

    @Test("without UTF-8 there is only ASCII on a terminal, and names are whole in a pipe")
    func ascii() {
        let layout = TextLayout(isASCII: true)
        let text = "1 → 2 … 45° ├─ └─ │ 名e\u{301}\u{FFFD} ▁█\n"
        #expect(layout.text(text) == "1 -> 2 ... 45 deg |- `- | ?e? _#\n")
        #expect(
            TextLayout(isASCII: true, keepsNames: true).text(text)
                == "1 -> 2 ... 45 deg |- `- | 名e\u{301}\u{FFFD} _#\n")
        #expect(TextLayout(keepsNames: true).text(text) == text)
        #expect(layout.text("\u{2801}\u{2880}\u{28FF}\u{2800}|") == "'.: |")
    }

    private static var table: Table {
        var table = Table("REGION", "SIZE", "GESTURES")
        table.rows = [["carousel of books", "1920x1080", "tap, swipe \"page\", pinch"], ["ok", "9x9", ""]]
        return table
    }

    @Test("a table that fits is not changed")
    func fits() {
        let text = Self.table.text(withLegend: true)
        #expect(Self.table.text(withLegend: true, in: TextLayout(width: 54)) == text)
        #expect(text.split(separator: "\n")[1] == "carousel of books  1920x1080  tap, swipe \"page\", pinch")
    }

    @Test("the last column of a wide table is wrapped, and the others are cut")
    func narrow() {
        #expect(
            Self.table.text(withLegend: true, in: TextLayout(width: 40)) == """
                REGION           SIZE       GESTURES
                carousel of bo…  1920x1080  tap, swipe
                                            "page",
                                            pinch
                ok               9x9

                """)
        #expect(
            Self.table.text(withLegend: false, in: TextLayout(width: 30)) == """
                carousel…  1920x1080  tap,
                                      swipe
                                      "page",
                                      pinch
                ok         9x9

                """)
    }

    @Test("a table leaves columns out before it cuts others, and becomes paragraphs in too little space")
    func smaller() {
        var table = Self.table
        table.optional = [1]
        #expect(table.text(withLegend: false, in: TextLayout(width: 43)).hasPrefix("carousel of books  tap, swipe"))
        #expect(table.text(withLegend: false, in: TextLayout(width: 44)).hasPrefix("carousel of books  1920x1080"))
        table.optional = []
        #expect(
            table.text(withLegend: false, in: TextLayout(width: 16)) == """
                carousel of
                  books
                  1920x1080
                  tap, swipe
                  "page", pinch
                ok  9x9

                """)
    }

    @Test("no line is wider than the terminal, whatever the width")
    func widths() {
        let text = "gesturectl: \"名名名\": the panel is \u{1B}[1mnot\u{1B}[0m ready\n  see gesturectl devices\n"
        for width in 2...90 {
            for isASCII in [false, true] {
                let layout = TextLayout(width: width, isASCII: isASCII)
                let printed = layout.text(text) + Self.table.text(withLegend: true, in: layout)
                for line in printed.split(separator: "\n") {
                    let plain = line.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
                    #expect(String(plain).columns <= width, "\(width): \(line)")
                }
                #expect(layout.text(printed) == printed)
            }
        }
    }

    @Test("a line of a file is cut around the carets")
    func excerpts() {
        let text = """
            gestured.toml:41:40: error: no such key
               41 | \tid = "ok", shape = "full", gestures = ["tap"], marginn = 5
                  | \t                                               ^^^^^^^
            """
        let wide = text.replacing("| \t", with: "|         ")
        #expect(TextLayout().diagnostic(text) == text)
        #expect(TextLayout(width: 90).diagnostic(text) == wide)
        #expect(
            TextLayout(width: 40).diagnostic(text) == """
                gestured.toml:41:40: error: no such key
                   41 | …gestures = ["tap"], marginn = 5
                      |                      ^^^^^^^
                """)
        #expect(
            TextLayout(width: 30, isASCII: true).diagnostic(text) == """
                gestured.toml:41:40: error: no such key
                   41 | ..."tap"], marginn = 5
                      |            ^^^^^^^
                """)
        #expect(TextLayout(width: 9).diagnostic(text) == "gestured.toml:41:40: error: no such key")
    }

    @Test("a tree keeps its branches where a line is wrapped")
    func trees() throws {
        let text = RegionTree.text(try RegionTests.regions(), in: TextLayout(width: 34))
        #expect(
            text == """
                panel
                ├─ carousel  1920x756+0+108  tap,
                │  │ swipe "page"
                │  ├─ ad<min  circle 1920,0 r 78.1
                │  │    [private]  long_press
                │  └─ buy  polygon of 3
                │       [disabled]  [margin 12.5]
                └─ screen  1920x1080+0+0  [pass]
                     tap "refresh"

                """)
    }
}
