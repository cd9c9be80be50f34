// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureTestSupport
import Testing

/// Rules between gestures inside and outside a private region have no effect and cause a warning.
@Suite("Warnings about the border of private regions")
struct BorderTests {
    private static func region(_ id: String, _ more: String = "") -> String {
        "[[region]]\nid = \"\(id)\"\nshape = \"full\"\n\(more)\n"
    }

    private static let pin = region("pin", "private = true\ngestures = [\"tap\", \"drag\"]")
    private static let ok = region("ok", "gestures = [\"tap\", \"drag\"]")

    private static func pattern(_ steps: String) -> String {
        "gestures = [{ type = \"pattern\", name = \"code\", steps = [\(steps)] }]"
    }

    @Test(
        "rules that can never work cause a warning, unless the region is not private",
        arguments: [
            (
                ok + pin + region("service", "pass = true\n" + pattern("\"tap ok\", \"tap pin\"")),
                "t:14:67: warning: a step of \"code\" can never be done: region \"pin\" is private, and \"service\" is not"
            ),
            (
                ok + region("safe", "private = true\n" + pattern("\"tap ok\"")),
                "t:9:57: warning: a step of \"code\" can never be done: region \"safe\" is private, and \"ok\" is not"
            ),
            (
                ok + region("safe", "private = true") + region("key", "parent = \"safe\"\n" + pattern("\"tap ok\"")),
                "t:13:57: warning: a step of \"code\" can never be done: region \"key\" is private, and \"ok\" is not"
            ),
            (
                ok + pin + "[arbitration]\nsimultaneous = [[\"ok.drag\", \"pin.drag\"]]",
                "t:11:17: warning: this pair never shares a contact: the border of a private region lies between the two"
            ),
            (
                pin + region("safe", "private = true\ngestures = [\"drag\"]")
                    + "[arbitration]\nsimultaneous = [[\"safe.drag\", \"pin.drag\"]]",
                "t:12:17: warning: this pair never shares a contact: the border of a private region lies between the two"
            ),
            (
                pin + region("ok", "capture = \"follow\""),
                "t:7:6: warning: region \"ok\" cannot hand contacts over (capture): the border of a private region separates it "
                    + "from all other regions"
            ),
            (
                ok + region("pin", "capture = \"follow\"\nprivate = true"),
                "t:6:6: warning: region \"pin\" cannot hand contacts over (capture): the border of a private region separates it "
                    + "from all other regions"
            ),
            (
                ok + region("watch", "pass = true\nprivate = true"),
                "t:6:6: warning: region \"watch\" can never be hit: it is private with pass = true, and no private region around "
                    + "it or in it owns touches"
            ),
        ])
    func never(text: String, message: String) {
        #expect(headlines(text) == [message])
        #expect(headlines(text.replacing("private = true", with: "")) == [])
    }

    @Test(
        "rules that may work on one side cause no warning",
        arguments: [
            pin + region("code", "private = true\n" + pattern("\"tap pin\"")),
            ok + pin + region("code", "parent = \"pin\"\n" + pattern("\"tap pin\"")),
            ok + pin + region("s", "parent = \"pin\"\ngestures = [\"drag\"]")
                + "[arbitration]\nsimultaneous = [[\"s.drag\", \"pin.drag\"], [\"ok.drag\", \"ok.tap\"]]",
            ok + pin + region("k1", "capture = \"follow\"") + region("k2", "capture = \"follow\"\nparent = \"pin\"")
                + region("k3", "parent = \"pin\""),
            pin + region("watch", "pass = true\nparent = \"pin\""),
            region("watch", "pass = true\nprivate = true") + region("key", "parent = \"watch\""),
        ])
    func sometimes(text: String) { #expect(headlines(text) == []) }

    @Test(
        "clients receive warnings only about regions that they may see",
        arguments: [
            (#""gestures":[{"type":"pattern","steps":["tap ok","tap pin"]}]"#, true),
            (#""gestures":["tap",{"type":"pattern","steps":["tap pin","tap new"]}]"#, true),
            (#""parent":"ok","capture":"follow""#, true), (#""gestures":["tap"]"#, false),
        ])
    func clients(members: String, isWarned: Bool) throws {
        let value = json(#"{"id":"new","shape":"full",\#(members)}"#)
        func said(_ files: String, seesPrivate: Bool) throws -> [String] {
            let configuration = try #require(ConfigurationReader.read(files).configuration)
            let read = configuration.readDefinition(value, file: "region", by: Definer(seesPrivate: seesPrivate))
            #expect(read.rule != nil)
            return read.diagnostics.map { $0.headline }
        }
        let (open, files) = (Self.ok, Self.ok + Self.pin)
        let others = try said(files, seesPrivate: false)
        #expect(try others == said(open, seesPrivate: false))
        #expect(!others.contains { $0.contains("private") })
        #expect(try said(files, seesPrivate: true).contains { $0.contains("private") } == isWarned)
    }

    @Test("`touches` of a region does not apply beyond the border")
    func touches() throws {
        let text =
            panelTable() + "share = \"forward\"\n" + Self.region("screen", "touches = \"capture\"")
            + Self.region("pin", "parent = \"screen\"\nprivate = true\ngestures = [\"double_tap\"]")
        func said(_ text: String) throws -> [String] {
            try #require(ConfigurationReader.read(text).configuration).panelWarnings().map { $0.headline }
        }
        let message = "pin.double_tap does not keep its first tap from the application"
        #expect(try said(text).contains { $0.contains(message) })
        #expect(try !said(text.replacing("private = true", with: "")).contains { $0.contains(message) })
    }
}
