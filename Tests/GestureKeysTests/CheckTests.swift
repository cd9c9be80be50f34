// SPDX-License-Identifier: MIT
import Foundation
import GestureKeys
import GestureTestSupport
import Testing

@Suite("gesturectl check --keys")
struct CheckTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func check(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        try ChildProcess.run([BuildProducts.program("gesturectl"), "check", "--keys"] + arguments)
    }

    private func keys(_ text: String) throws -> String { try folder.write("version = 1\n" + text, to: "keys.toml") }

    private static let binding = "[[binding]]\ngesture = \"tab\"\nkeys = \"esc\"\n"
    private static let regions = """
        version = 1
        [[region]]
        id = "ok"
        shape = "full"
        gestures = ["tap"]

        """

    @Test("A file with errors has their places, and ends with 78")
    func errors() throws {
        let path = try keys("[[binding]]\ngesture = \"tap\"\nkeys = \"escape\"\n")
        let outcome = try check(path)
        #expect(outcome.status == 78 && outcome.output == "")
        #expect(
            outcome.errors.hasPrefix("\(path):4:8: error: keys: there is no key \"escape\"; did you mean \"esc\"?\n"))
    }

    @Test("Bindings are compared with a configuration")
    func configuration() throws {
        let path = try keys(Self.binding)
        let regions = try folder.write(Self.regions, to: "gestured.toml")
        let outcome = try check(path, "--config", regions)
        #expect(outcome.status == 0 && outcome.output == "\(path): ok, 1 warning\n")
        #expect(
            outcome.errors.hasPrefix(
                "\(path):2:1: warning: no gesture triggers this binding: no gesture of its regions has the name or the kind "
                    + "\"tab\"; did you mean \"tap\"?\n"))
    }

    private static let panels = """
        version = 1
        [[device]]
        id = "left"
        match = { name = "*L*" }
        [[device]]
        id = "old"
        match = { name = "*O*" }
        ignore = true
        [[region]]
        id = "map"
        shape = "full"
        device = "left"
        gestures = ["tap", "drag"]
        [[region]]
        id = "gone"
        shape = "full"
        device = "old"
        gestures = ["swipe"]
        [[region]]
        id = "list"
        shape = "full"
        gestures = ["tap"]
        [[scene]]
        id = "night"
        regions = ["l*"]

        """

    @Test(
        "The cause is the first that the files have: scene, panel, region, gesture",
        arguments: [
            ("region = \"map\"", nil),
            ("region = \"map\"\ndevice = \"left@event5\"", nil),
            ("device = \"event5\"", nil),
            ("device = \"lfet\"", "there is no panel \"lfet\"; did you mean \"left\"?"),
            ("device = \"old\"", "panel \"old\" cannot be used: ignore = true in its [[device]]"),
            (
                "region = \"gone\"",
                "region \"gone\" is on no panel; see its device, and ignore of [[device]], in the daemon's configuration"
            ),
            ("region = \"mpa\"", "there is no region \"mpa\"; did you mean \"map\"?"),
            ("region = \"map\"\nscene = \"n*\"", "region \"map\" is off in scene \"n*\""),
            ("region = \"map\"\nscene = [\"night\", \"default\"]", nil),
            ("scene = \"night\"", nil),
            ("scene = \"nihgt\"", "there is no scene \"nihgt\"; did you mean \"night\"?"),
        ] as [(String, String?)])
    func causes(binding: String, cause: String?) throws {
        let path = try keys("[[binding]]\ngesture = \"tap\"\n\(binding)\nkeys = \"a\"\n")
        let outcome = try check(path, "--config", folder.write(Self.panels, to: "gestured.toml"), "--quiet")
        let message = cause.map { "\(path):2:1: warning: no gesture triggers this binding: \($0)" } ?? ""
        #expect(outcome.errors.split(separator: "\n").first.map(String.init) ?? "" == message)
    }

    @Test(
        "Files without a [[device]] have panels that are named after their nodes",
        arguments: [("*", true), ("event4", true), ("ev*", true), ("panle", false)])
    func unnamed(device: String, isPossible: Bool) throws {
        let path = try keys("[[binding]]\ngesture = \"tap\"\ndevice = \"\(device)\"\nkeys = \"a\"\n")
        let outcome = try check(path, "--config", folder.write(Self.regions, to: "gestured.toml"), "--quiet")
        #expect(outcome.errors.contains("there is no panel \"panle\"") == !isPossible, "\(outcome.errors)")
    }

    @Test("Bindings are compared with the daemon's regions")
    func daemon() throws {
        let path = try keys(Self.binding)
        let panel = try FakePanel(in: folder)
        try panel.add()
        let daemon = try DaemonProcess(Self.regions, in: folder, panel: panel)
        _ = try daemon.connect(toPanel: "event0")
        let outcome = try check(path, "--socket", daemon.socketPath)
        #expect(outcome.status == 0 && outcome.output == "\(path): ok, 1 warning\n")
        #expect(outcome.errors.contains("did you mean \"tap\"?"))
        let other = try check(
            keys("[[binding]]\ngesture = \"tap\"\ndevice = \"other\"\nkeys = \"a\"\n"), "--socket", daemon.socketPath)
        #expect(
            other.errors.contains("no gesture triggers this binding: there is no connected panel \"other\""),
            "\(other.errors)")
    }

    @Test("Without a daemon the file alone is checked")
    func nobody() throws {
        let path = try keys(Self.binding)
        let outcome = try check(path, "--socket", folder("missing.sock"))
        #expect(outcome.status == 0 && outcome.output == "\(path): ok\n")
        #expect(
            outcome.errors.hasSuffix(
                "gesturectl: bindings were not compared with regions; pass the daemon's files with --config\n"))
    }

    @Test("The bindings in docs/keys.md fit the regions there")
    func page() throws {
        let page = try String(contentsOfFile: BuildProducts.root + "/docs/keys.md", encoding: .utf8)
        func blocks(_ mark: String) -> [String] {
            page.components(separatedBy: "```\(mark)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        }
        let regions = try folder.write(blocks("toml").joined(), to: "gestured.toml")
        let bindings = blocks("toml # keys.toml")
        #expect(bindings.count == 5)
        for text in bindings {
            let path = try folder.write(text, to: "keys.toml")
            let outcome = try check(path, "--config", regions)
            #expect(outcome.output == "\(path): ok\n" && outcome.errors == "", "\(text)")
        }
        // The table of keys for other programs
        for row in page.split(separator: "\n")
        where row.hasPrefix("| ") && (row.contains("backspace") || row.contains("leftalt")) {
            for word in row.split(separator: "`") where word.first?.isLetter == true && !word.contains("|") {
                for name in word.split(separator: "+") { #expect(KeyNames.code(of: String(name)) != nil, "\(name)") }
            }
        }
    }

    @Test("The bindings on other pages fit the regions before them", arguments: ["coming-from", "faq"])
    func otherPages(name: String) throws {
        let blocks = try #require(Document("docs/\(name).md")).blocks
        let places = blocks.indices.filter { blocks[$0].language == "toml # keys.toml" }
        #expect(!places.isEmpty)
        for place in places {
            let regions = try #require(blocks[..<place].last { $0.language == "toml" })
            let path = try folder.write(blocks[place].text, to: "keys.toml")
            let outcome = try check(path, "--config", try folder.write(regions.text, to: "gestured.toml"))
            #expect(outcome.output == "\(path): ok\n" && outcome.errors == "", "\(blocks[place])")
        }
    }

    @Test(
        "Options that do not fit together are refused",
        arguments: [["--mqtt"], ["a.toml", "b.toml"], ["--socket", "/x", "--config", "/y"]])
    func usage(arguments: [String]) throws {
        let result = try ChildProcess.run([BuildProducts.program("gesturectl"), "check", "--keys"] + arguments)
        #expect(result.status == 64)
    }
}
