// SPDX-License-Identifier: MIT
import GestureConfiguration
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test func theDescriptionIsTheOneInTheManual() {
        let text = """
            [[region]]
            id = "carousel"
            shape = "full"
            gestures = [
              { type = "swipe", min_distanc = "20mm" },
            ]
            """
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: "/etc/g.toml")
        #expect(configuration == nil)
        #expect(
            diagnostics.map { $0.description } == [
                """
                /etc/g.toml:5:21: error: unknown key "min_distanc" in gesture "swipe" of region "carousel"; \
                did you mean "min_distance"?
                    5 |   { type = "swipe", min_distanc = "20mm" },
                      |                     ^^^^^^^^^^^
                """
            ])
        #expect(diagnostics.first?.suggestion == "min_distance")
        #expect(diagnostics.first?.message == "unknown key \"min_distanc\" in gesture \"swipe\" of region \"carousel\"")
    }

    @Test func tabsAndWideTextKeepTheCaretInPlace() {
        let said = ConfigurationReader.read("[daemon]\n\tlog_level = \"é\" # ✓").diagnostics.first?.description ?? ""
        let lines = said.split(separator: "\n").dropFirst().map { String($0) }
        #expect(lines == ["    2 | \tlog_level = \"é\" # ✓", "      | \t            ^^^"])
    }

    @Test func longLinesAreCutAroundTheMistake() {
        let long =
            "[daemon]\n" + String(repeating: " ", count: 300) + "log_level = 1" + String(repeating: " ", count: 300)
        let lines = (ConfigurationReader.read(long).diagnostics.first?.description ?? "").split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.count < 120 })
        #expect(lines.first?.hasPrefix("gestured.toml:2:313: error:") == true)
        let place = lines.last?.distance(
            from: lines[2].startIndex, to: lines[2].firstIndex(of: "^") ?? lines[2].endIndex)
        #expect(lines.last?.hasSuffix(" ^") == true)
        #expect(place.map { lines[1].dropFirst($0).hasPrefix("1 ") } == true, "\(lines)")
    }

    /// The time to print a line is proportional to its length, and a file may have all its regions on one line.
    @Test func linesThatNobodyWouldWriteAreNotShown() {
        for (spaces, isShown) in [(16_000, true), (17_000, false)] {
            let text = "[daemon]\nlog_level = 1" + String(repeating: " ", count: spaces) + "\nother = 1"
            let found = ConfigurationReader.read(text).diagnostics
            #expect(found.map { $0.line } == [2, 3])
            #expect(found.map { $0.column } == [13, 1])
            #expect(found.map { $0.source != nil } == [isShown, true])
        }
    }

    @Test func suggestionsAreMadeForTheFirstMistakesOnly() {
        let text = "[daemon]\n" + (0..<120).map { "log_leve\($0) = 1\n" }.joined()
        let found = ConfigurationReader.read(text).diagnostics
        #expect(found.count == 120)
        #expect(found.count { $0.suggestion == "log_level" } == 100)
    }

    @Test func controlCharactersAreNotPrinted() {
        let said = ConfigurationReader.read("a = 1 # \u{1B}[31m").diagnostics
        #expect(!said.isEmpty)
        #expect(said.allSatisfy { !$0.description.contains("\u{1B}") })
    }

    @Test func allMistakesAreReportedInTheOrderOfTheText() {
        let said = headlines(
            """
            vesion = 1
            [daemon]
            log_level = "loud"
            max_clients = 0
            [access]
            control_uids = [1.5, -1, "ok"]
            [[region]]
            id = "a"
            gestures = ["tip"]
            [[region]]
            id = "b"
            shape = { rect = [0, 0, -1, "5"] }
            parent = "aa"
            gestures = [{ type = "tap", slop = 3, gap = "1d" }, 7, {}]
            """)
        #expect(
            said == [
                "t:1:1: error: unknown key \"vesion\" in the file; did you mean \"version\"?",
                "t:3:13: error: log_level cannot be \"loud\"; use one of \"debug\", \"info\", \"warning\", \"error\"",
                "t:4:15: error: max_clients is 0; it must be 1 to 1024",
                "t:6:17: error: a user must be a string, not a number",
                "t:6:22: error: a uid is -1; it must be 0 to 4294967294",
                "t:8:1: error: region \"a\" is missing the key shape; use \"full\" or { rect = [x, y, w, h] }",
                "t:12:25: error: width is -1px; it must be more than 0",
                "t:12:29: error: height has no unit; add a unit: \"5mm\", \"5px\", \"5%\"",
                "t:13:10: error: parent of region \"b\" is \"aa\", which does not exist",
                "t:14:36: error: slop has no unit; add a unit: \"3mm\", \"3px\", \"3%\", or \"off\"",
                "t:14:45: error: gap cannot be \"1d\"; use a time such as \"500ms\", \"1.5s\", \"2min\" "
                    + "or \"1h\"",
                "t:14:53: error: a gesture of region \"b\" must be a word or a table, not an integer",
                "t:14:56: error: a gesture of region \"b\" has no type",
            ])
    }

    @Test(
        "of one mistake",
        arguments: [
            ("version = 2", "1:11: error: version is 2; it must be 1"),
            ("version = \"1\"", "1:11: error: version must be a whole number, not a string"),
            ("daemon = 1", "1:10: error: [daemon] must be a table, not an integer"),
            ("[region]\nid = \"a\"", "1:1: error: region is a list: write [[region]], not [region]"),
            ("region = [1]", "1:11: error: a region must be a table, not an integer"),
            ("[[region]]\nshape = \"full\"", "1:1: error: a region has no id"),
            (
                "[[region]]\nid = \"a b\"\nshape = \"full\"",
                "2:6: error: id \"a b\" must not contain ' '; use letters, digits and _ . : / -; "
                    + "did you mean \"a_b\"?"
            ),
            ("[[region]]\nid = \"\"\nshape = \"full\"", "2:6: error: id \"\" must be 1 to 64 bytes"),
            (
                "[[region]]\nid = \"a\"\nshape = { polygon = [[0, 0], [1, 1], [2, 2]] }",
                "3:21: error: polygon has no area: all of its corners are on one line"
            ),
            (
                "[[region]]\nid = \"a\"\nshape = { polygon = [[0, 0], [100, 50], [\"20%\", \"20%\"]] }\n"
                    + "[[device]]\nid = \"p\"\nmatch = { name = \"*\" }\noutput = { size = [1000, 500] }",
                "3:9: error: polygon of region \"a\" has no area: all of its corners are on one line on panel \"p\""
            ),
            (
                "[[region]]\nid = \"a\"\nshape = { polygon = [[0, 0], [\"1%\", 0], [\"20mm\", 0]] }\n[[device]]\n"
                    + "id = \"p\"\nmatch = { name = \"*\" }\noutput = { size = [1000, 500], size_mm = [200, 100] }",
                "3:9: error: polygon of region \"a\" has no area: all of its corners are on one line on panel \"p\""
            ),
            (
                "[[region]]\nid = \"a\"\nshape = \"ful\"",
                "3:9: error: shape of region \"a\" cannot be \"ful\"; use \"full\" or a table with rect, circle, polygon, "
                    + "edge; did you mean \"full\"?"
            ),
            ("[defaults]\ntap = { count = 2 }", "2:9: error: unknown key \"count\" in tap of [defaults]"),
            ("[defaults]\nleave = { inside = \"1mm\" }", "2:11: error: unknown key \"inside\" in leave of [defaults]"),
            (
                "[defaults]\nrepeat = { accelerate = 0 }",
                "2:25: error: accelerate is 0; it must be more than 0, at most 1"
            ),
            (
                "[defaults]\nrepeat = { accelerate = nan }",
                "2:25: error: accelerate is nan; it must be more than 0, at most 1"
            ),
            ("[defaults]\nswipe = { directions = [] }", "2:24: error: directions is empty; name at least one"),
            (
                "[defaults]\nswipe = { directions = [\"lift\"] }",
                "2:25: error: a direction cannot be \"lift\"; use one of \"left\", \"right\", \"up\", \"down\", \"up_left\", "
                    + "\"up_right\", \"down_left\", \"down_right\"; did you mean \"left\"?"
            ),
            ("[defaults]\nchain = { path = [\"up\"] }", "2:11: error: unknown key \"path\" in chain of [defaults]"),
            (
                "[defaults]\nswipe = { max_deviation = 91 }",
                "2:27: error: max_deviation is 91°; it must be more than 0°, at most 90°, or \"off\""
            ),
            (
                "[defaults]\ntap = { slop = \"3cm\" }",
                "2:16: error: slop has the unknown unit \"cm\"; use px, % or mm, or \"off\""
            ),
            ("[defaults]\ntap = { slop = \"-1mm\" }", "2:16: error: slop is -1mm; it must be 0mm or more, or \"off\""),
            (
                "[defaults]\ntap = { max_time = \"0ms\" }",
                "2:20: error: max_time is 0ms; it must be 1ms to 3600s, or \"off\""
            ),
            (
                "[defaults]\ntap = { max_time = \"3601s\" }",
                "2:20: error: max_time is 3601s; it must be 1ms to 3600s, or \"off\""
            ),
            ("[filter]\nmax_touch = \"0mm\"", "2:13: error: max_touch is 0mm; it must be more than 0mm, or \"off\""),
            (
                "[filter]\nbridge = \"Off\"",
                "2:10: error: bridge cannot be \"Off\"; use a time such as \"500ms\", \"1.5s\", \"2min\" or \"1h\", "
                    + "or \"off\"; did you mean \"off\"?"
            ),
            (
                "[filter]\nstorm = { quit = \"1s\" }",
                "2:11: error: unknown key \"quit\" in storm; did you mean \"quiet\"?"
            ),
            (
                "[[device]]\nid = \"p\"",
                "2:1: error: device \"p\" is missing the key match; add match = { name = \"*\" } to match every device"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\noutput = { rotation = 45 }",
                "4:23: error: rotation is 45; it must be 0, 90, 180 or 270 (clockwise)"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\noutput = { rotation = \"fliped-90\" }",
                "4:23: error: rotation cannot be \"fliped-90\"; use one of \"flipped\", \"flipped-90\", \"flipped-180\", "
                    + "\"flipped-270\"; did you mean \"flipped-90\"?"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\ncalibration = [1, 0, 0]",
                "4:15: error: calibration must be six numbers, not 3"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\ncalibration = [0, 0, 0, 0, 0, 0]",
                "4:15: error: calibration does not map the panel to an output"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\nwake = true",
                "4:8: error: wake of device \"p\" must be a table, or \"off\", not a boolean"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\nwake = { display = \"off\" }",
                "4:20: error: display cannot be \"off\"; use \"auto\" or the absolute path of a file"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\nwake = { display = 0 }",
                "4:20: error: display must be \"auto\" or the path of a file, not an integer"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\nwake = { key = \"wakup\" }",
                "4:16: error: key cannot be \"wakup\"; use one of \"wakeup\", \"leftshift\", \"f24\", \"none\"; "
                    + "did you mean \"wakeup\"?"
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\n[device.application]\nmax_contacts = 0",
                "5:16: error: max_contacts is 0; it must be 1 to 64, or \"off\""
            ),
            (
                "[[device]]\nid = \"p\"\nmatch = {}\napplication = { min_gap = 60 }",
                "4:27: error: min_gap has no unit; add a unit: \"60ms\", \"60s\", or \"off\""
            ),
            ("[[scene]]\nid = \"s\"", "2:1: error: scene \"s\" has no regions"),
            (
                "[defaults]\ndouble_tap = { gap = \"1s\" }",
                "2:1: error: unknown key \"double_tap\" in [defaults]; did you mean \"tap\"?"
            ),
            (
                "[[region]]\nid = \"a\"\nshape = \"full\"\ndefaults = { button = {} }",
                "4:14: error: unknown key \"button\" in defaults of region \"a\"; did you mean \"tap\"?"
            ),
        ])
    func single(text: String, headline: String) {
        #expect(headlines(text).contains("t:" + headline), "\(headlines(text))")
        #expect(ConfigurationReader.read(text).configuration == nil)
    }

    @Test(
        "A misspelt key causes one error, not a second one about a missing key",
        arguments: [
            ("idd = \"a\"\nshape = \"full\"", "idd"), ("id = \"a\"\nshpe = \"full\"", "shpe"),
            ("id = \"a\"\nshape = { edge = \"left\", widht = 9 }", "widht"),
            ("id = \"a\"\nshape = { circle = { center = [0, 0], radus = 9 } }", "radus"),
            ("id = \"a\"\nshape = \"full\"\ngestures = [{ type = \"pattern\", step = [] }]", "step"),
            ("id = \"a\"\nshape = \"full\"\n[[scene]]\nid = \"s\"\nregion = []", "region"),
            ("id = \"a\"\nshape = \"full\"\n[[idle]]\nafer = \"5s\"", "afer"),
            ("id = \"a\"\nshape = \"full\"\n[[device]]\nid = \"d\"\nmach = {}", "mach"),
        ])
    func misspelt(text: String, key: String) {
        let said = headlines("[[region]]\n" + text)
        #expect(said.count == 1 && said[0].contains("error: unknown key \"\(key)\" in "), "\(said)")
    }

    @Test func theVersionIsMissedOnlyOnce() {
        let files = ["vesion = 1", "[daemon]", "= 1"].map { text in
            ConfigurationReader.read([(path: "t", text: Array(text.utf8))]).diagnostics.map { $0.headline }
        }
        #expect(
            files.map { $0.count } == [1, 1, 1] && files[0][0].hasSuffix("did you mean \"version\"?")
                && files[1] == ["t:1:1: error: no version; add the line: version = 1"], "\(files)")
    }

    @Test func idsAreUniqueInAFile() {
        let text = "[[region]]\nid = \"a\"\nshape = \"full\"\n[[region]]\nid = \"a\"\nshape = \"full\"\n"
        #expect(headlines(text) == ["t:5:6: error: two regions have the id \"a\""])
    }

    @Test func namesOfGesturesAreUnique() {
        let text = """
            [[region]]
            id = "a"
            shape = "full"
            gestures = ["tap", { type = "tap", count = 3 }, { type = "tap", name = "x" }, { type = "drag", name = "x" }]
            """
        #expect(
            headlines(text) == [
                "t:4:20: error: two gestures of region \"a\" are named \"tap\"; give one of them another name",
                "t:4:79: error: two gestures of region \"a\" are named \"x\"; give one of them another name",
            ])
    }

    @Test func parentsHaveNoCycles() {
        let text = ["a", "b", "c"].enumerated().map { i, id in
            "[[region]]\nid = \"\(id)\"\nshape = \"full\"\nparent = \"\(["b", "c", "a"][i])\"\n"
        }.joined()
        #expect(headlines(text) == ["t:4:10: error: region \"a\" is its own ancestor"])
        let own = "[[region]]\nid = \"a\"\nparent = \"a\"\nshape = \"full\"\n"
        #expect(headlines(own) == ["t:3:10: error: region \"a\" is its own ancestor"])
    }

    @Test func listsAreLimited() {
        let mistakes = (0..<1500).map { "k\($0) = 1\n" }.joined()
        let said = ConfigurationReader.read(mistakes, path: "t").diagnostics
        #expect(said.count == 1001)
        #expect(said.last?.headline == "t: error: and 500 more")
        let taps = (0..<65).map { "{ type = \"tap\", name = \"\($0)\" }" }.joined(separator: ", ")
        let many = "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\(taps)]"
        #expect(headlines(many).first?.hasSuffix("error: region \"a\" has 65 gestures; use at most 64") == true)
    }

    @Test("the number of regions in all files together is limited, and the error is at the first one too many")
    func regionLimit() {
        func regions(_ range: Range<Int>) -> String {
            range.map { "[[region]]\nid = \"r\($0)\"\nshape = \"full\"\n" }.joined()
        }
        #expect(headlines(regions(0..<2000)) == [])
        #expect(headlines(regions(0..<2001)) == ["t:6002:6: error: there are 2001 regions; use at most 2000"])
        func read(_ texts: [String], hiding hidden: Set<String> = []) -> [String] {
            let files = texts.enumerated().map { (path: "\($0)", text: Array($1.utf8)) }
            return ConfigurationReader.read(files, needsVersion: false, hiding: hidden).diagnostics.map { $0.headline }
        }
        // A region that a later file changes is counted only once.
        let changed = "[[region]]\nid = \"r7\"\nmargin = \"1mm\"\n"
        #expect(read([regions(0..<2000), changed]) == [])
        let texts = [regions(0..<1500), changed + regions(1500..<2003)]
        #expect(read(texts) == ["1:1505:6: error: there are 2003 regions; use at most 2000"])
        #expect(read(texts, hiding: ["r1", "r2", "r1700"]) == [])
    }

    @Test(
        "suggests the nearest name",
        arguments: [
            ("dubble_tap", "double_tap"), ("longpress", "long_press"), ("TAP", "tap"), ("wsipe", "swipe"),
            ("two_fingers_tap", "two_finger_tap"), ("xyz", nil), ("p", nil),
        ] as [(String, String?)])
    func suggestion(word: String, expected: String?) {
        let text = "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\"\(word)\"]"
        #expect(ConfigurationReader.read(text).diagnostics.map { $0.suggestion } == [expected])
    }

    @Test("carets are below the correct columns of a terminal: wide characters take two, and a tab stays a tab")
    func columns() throws {
        let text = "[[region]]\nid = \"名\"; shape = \"fülle\"\n"
        let found = try #require(ConfigurationReader.read("\tversion = \"名前\"", path: "t").diagnostics.first)
        let wide: (Unicode.Scalar) -> Int = { $0.value > 0x2000 ? 2 : 1 }
        #expect(found.text(columns: wide).hasSuffix("\n      | \t          ^^^^^^"))
        #expect(found.description.hasSuffix("\n      | \t          ^^^^"))
        let behind = try #require(ConfigurationReader.read(text, path: "t").diagnostics.first)
        #expect(behind.text(columns: wide).split(separator: "\n").last == "      |          ^")
    }

    @Test("a polygon on one line is an error only if the files state the size of the panel")
    func polygons() {
        let polygon = "[[region]]\nid = \"a\"\nshape = { polygon = [[0, 0], [\"1%\", 0], [\"20mm\", 0]] }\n"
        let device = "[[device]]\nid = \"p\"\nmatch = { name = \"*\" }\n"
        for panel in ["", device, device + "output = { size = [1000, 500] }\n"] {
            #expect(ConfigurationReader.read(polygon + panel).configuration != nil)
        }
    }
}
