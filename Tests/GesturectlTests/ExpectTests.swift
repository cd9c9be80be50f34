// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("gesturectl expect")
struct ExpectTests {
    private static let panel = """
        version = 1
        [[region]]
        id = "list"
        shape = "full"
        gestures = [{ type = "drag", name = "scroll", axis = "vertical" }, { type = "swipe", directions = ["left"] }]
        [[region]]
        id = "ok"
        parent = "list"
        shape = { rect = [100, 100, 600, 400] }
        gestures = ["press", "button"]
        [[scene]]
        id = "locked"
        regions = []
        """

    private struct Place {
        let folder: ScratchFolder
        let file: String

        /// - Parameter cases: the cases of a file that reads the configuration.
        init(_ cases: String) throws {
            folder = try ScratchFolder()
            try folder.write(panel, to: "panel.toml")
            file = try folder.write("--config panel.toml\n--size 1280x800\n\n" + cases, to: "panel.expect")
        }

        func run(_ more: String...) throws -> Tool.Outcome { try Tool.run(["expect", file] + more) }
    }

    /// Cases, and whether they pass.
    @Test(
        "says whether what must come has come",
        arguments: [
            ("tap ok\n---\nok press begin\nok button\nok press end", true), ("tap ok\n---\nok button\n! list *", true),
            ("tap ok\n---\nok button\n! *", false), ("tap ok\n---\nok press end\nok button", false),
            ("tap ok\n---\nok button\nok button", false), ("tap ok 2 times\n---\nok button\nok button", true),
            ("tap ok 2 times\n---\nok button\n! ok button", false), ("tap ok\n---\n! ok button", false),
            ("swipe left from ok\n---\n* swipe direction=left fingers=1\n! ok button", true),
            ("swipe left from ok\n---\nlist swipe direction=right", false),
            ("drag up from ok\n---\nlist scroll begin\nlist scroll update\nlist scroll end", true),
            ("drag up from ok\n---\nok press cancel reason=claimed", true), ("tap ok\n---\nok b* \nok pre??", true),
            ("--scene locked\ntap 5,5\n---\n! *", true), ("# why\ntap ok # how\n---\n# what\nok button", true),
            ("tap ok\n---", false),
        ])
    func verdicts(text: String, passes: Bool) throws {
        let outcome = try Place(text).run()
        #expect(outcome.status == (passes ? 0 : 1), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix(passes ? "ok " : "FAILED ") && outcome.errors == "")
    }

    @Test("shows what differs, and why")
    func difference() throws {
        let place = try Place("tap ok\n---\nok button\n\nhold 300ms ok\n---\nlist swipe\n! ok press *\n")
        let lines = try place.run().output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("ok ") && lines[0].contains("panel.expect:4  tap ok"))
        #expect(lines[1].hasPrefix("FAILED") && lines[1].contains("panel.expect:8  hold 300ms ok"))
        #expect(lines.contains("  - list swipe  did not come") && lines.contains { $0.contains("+  tap \"button\"") })
        #expect(lines.last == "2 cases, 1 failed")
    }

    @Test("writes what came, and then it is as expected")
    func update() throws {
        let place = try Place(
            "tap ok\n---\n\n# kept\nswipe left from ok\n---\nlist scroll\n! ok button\n\ntap ok\n---\nok button\n")
        #expect(try place.run().status == 1)
        let updated = try place.run("--update")
        #expect(updated.status == 0 && updated.output.hasSuffix("3 cases, 2 updated\n"))
        let text = try String(contentsOfFile: place.file, encoding: .utf8)
        #expect(text.contains("tap ok\n---\nok press begin\nok button\nok press end\n! *\n\n# kept\n"))
        #expect(text.contains("list swipe direction=left\n! ok button\n! *\n\ntap ok\n---\nok button\n"))
        #expect(try place.run().status == 0)
        #expect(try place.run("--update").status == 0)
        #expect(try String(contentsOfFile: place.file, encoding: .utf8) == text)
    }

    @Test("keeps line ends and comments")
    func lineEnds() throws {
        let place = try Place("tap ok\n--- \n# why\nlist scroll\n".replacing("\n", with: "\r\n"))
        #expect(try place.run("--update").status == 0)
        let text = try String(contentsOfFile: place.file, encoding: .utf8)
        #expect(text.hasSuffix("--- \r\n# why\r\nok press begin\r\nok button\r\nok press end\r\n! *\r\n"), "\(text)")
        #expect(try place.run().status == 0)
    }

    @Test("a case may name its own configuration")
    func configuration() throws {
        let place = try Place("--config other.toml\ntap only\n---\nonly tap\n\ntap ok\n---\nok button\n")
        try place.folder.write(
            "version = 1\n[[region]]\nid = \"only\"\nshape = \"full\"\ngestures = [\"tap\"]\n", to: "other.toml")
        let outcome = try place.run()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// Files, and the line and a part of the message.
    @Test(
        "refuses what it does not understand, with the place",
        arguments: [
            ("tap ok", 4, "no line ---"), ("tap okk\n---\n! *", 4, "did you mean"),
            ("--seen x\ntap ok\n---\n! *", 4, "--seen"),
            ("tap ok\n---\nok", 6, "is not REGION NAME"), ("tap ok\n---\nok tap begin now", 6, "is not REGION NAME"),
            ("tap ok\n---\nokk button", 6, "no region \"okk\"; did you mean \"ok\""),
            ("tap ok\n---\n! ok buton", 6, "no gesture \"buton\" in ok; did you mean \"button\""),
            ("--help\ntap ok\n---\n! *", 4, "no help"), ("", 1, "no cases"),
        ])
    func mistakes(text: String, line: Int, part: String) throws {
        let place = try Place(text)
        let outcome = try place.run()
        #expect(outcome.status == 65, "\(outcome.output)")
        #expect(outcome.errors.contains("\(place.file):\(line):") && outcome.errors.contains(part), "\(outcome.errors)")
    }

    @Test("plays the page's example")
    func page() throws {
        let block = try #require(Document("docs/trying.md")?.blocks.first { $0.language == "expect" })
        let folder = try ScratchFolder()
        try folder.write(
            "version = 1\n[[region]]\nid = \"ok\"\nshape = \"full\"\ngestures = [\"tap\", \"swipe\"]\n",
            to: "panel.toml")
        let file = try folder.write(block.text, to: "panel.expect")
        let outcome = try Tool.run(["expect", file])
        #expect(outcome.status == 0 && outcome.output.hasSuffix("2 cases, 0 failed\n"), "\(outcome.output)")
    }
}
