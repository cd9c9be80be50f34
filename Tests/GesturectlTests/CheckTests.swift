// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Checking configurations")
struct CheckTests {
    private func run(_ configuration: String, _ options: String...) throws -> (outcome: Tool.Outcome, path: String) {
        let folder = try ScratchFolder()
        let path = try folder.write(configuration, to: "gestured.toml")
        return (try Tool.run(["check", path] + options), path)
    }

    static let good = """
        version = 1
        [[region]]
        id = "buy"
        shape = "full"
        gestures = ["press", { type = "tap", name = "once", wait = true }, "double_tap", "long_press", "swipe"]

        """

    @Test("a valid one shows the delay of each gesture's decision")
    func good() throws {
        let (outcome, path) = try run(Self.good)
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                REGION  GESTURE     NAME        DECIDED
                buy     press       press       at the landing
                buy     tap         once        up to 400 ms after the lift
                buy     double_tap  double_tap  at the lift
                buy     long_press  long_press  500 ms after the landing
                buy     swipe       swipe       at the lift

                \(path): ok, 1 warning

                """)
        #expect(try run(Self.good, "--no-legend").outcome.output.hasPrefix("buy "))
        #expect(try run(Self.good, "--quiet").outcome.output.isEmpty)
    }

    @Test("what is impossible only with a profile is a warning that names the profile, once per gesture")
    func profiles() throws {
        let text = """
            version = 1
            [[region]]
            id = "r"
            shape = "full"
            gestures = ["tap", "button", { type = "double_tap", gap = "400ms" }]

            """
        let steady = "warning: with profile \"steady\", r.double_tap can hardly be recognized: min_gap is not shorter"
        #expect(try run(text).outcome.errors.contains(steady))
        #expect(try run(text).outcome.output.hasSuffix("ok, 1 warning\n"))
        #expect(try run(text, "--profile", "slow").outcome.errors.isEmpty)
        let (named, path) = try run(text, "--profile", "steady")
        #expect(named.errors.hasPrefix("\(path):5:30: warning: r.double_tap can hardly be recognized: min_gap is not"))
        #expect(try run(text.replacing(", gap = \"400ms\"", with: "")).outcome.errors.isEmpty)
        let stuck = "[[profile]]\nid = \"m\"\ndefaults = { tap = { min_time = \"800ms\" } }\n"
        let found = try run(text + stuck + stuck.replacing("\"m\"", with: "\"n\"")).outcome.errors
        #expect(found.contains("with profile \"m\", r.tap can never be recognized: min_time is not shorter than"))
        #expect(!found.contains("\"n\""))
    }

    /// The values are nested 15 levels deep, and each key has the maximum number of dotted parts.
    @Test("the deepest file that is accepted needs less than half of the usual stack")
    func deepest() throws {
        let key = String(repeating: "a.", count: 256) + "a = "
        let text = String(repeating: key + "[\n{", count: 7) + key + "1" + String(repeating: "}]", count: 7)
        let folder = try ScratchFolder()
        let path = try folder.write("version = 1\n" + text + "\n", to: "deep.toml")
        let outcome = try ShellScript.run("ulimit -s 3072; exec \"$TOOL\" check '\(path)'")
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("unknown key \"a\""), "\(outcome.errors)")
        #expect(!outcome.errors.contains("syntax"))
    }

    @Test("prints all errors like a compiler, and ends with 78")
    func errors() throws {
        let (outcome, path) = try run(
            Self.good.replacing("\"full\"", with: "\"ful\"").replacing("wait =", with: "wiat ="))
        #expect(outcome.status == 78)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("\(path):4:9: error: ") })
        #expect(lines.contains { $0.hasPrefix("\(path):5:") && $0.contains("unknown key \"wiat\"") })
        #expect(lines.contains { $0.contains("^^^^") })
        #expect(
            lines.last
                == "gesturectl: the configuration has 2 errors, so the daemon would not use it; correct them first"
        )
    }

    @Test("a configuration without regions may be that of a page that defines them")
    func noRegions() throws {
        let (outcome, path) = try run("version = 1\n[access]\ncontrol_uids = [\"nobody-of-that-name\"]\n")
        #expect(outcome.status == 0)
        #expect(outcome.output == "\(path): ok, 1 warning\n")
        #expect(
            outcome.errors.hasSuffix(
                "gesturectl: there are no regions; nothing is recognized until a client defines some\n"))
    }

    @Test("warns about rules that cannot cross the border of a private region")
    func border() throws {
        let pin = """
            [[region]]
            id = "pin"
            shape = "full"
            private = true
            gestures = [{ type = "pattern", steps = ["tap buy"] }]

            """
        let (outcome, path) = try run(Self.good.replacing("name = \"once\", ", with: "") + pin, "--quiet")
        #expect(outcome.status == 0)
        let message = "a step of \"pattern\" can never be done: region \"pin\" is private, and \"buy\" is not"
        #expect(outcome.errors.contains("\(path):10:42: warning: \(message)"), "\(outcome.errors)")
    }

    @Test("several files, and a folder of other ones, form one configuration")
    func files() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder("conf.d"), withIntermediateDirectories: true)
        let main = try folder.write(Self.good, to: "gestured.toml")
        let part = try folder.write("[[region]]\nid = \"buy\"\ngestures = [\"drag\"]\n", to: "conf.d/10-part.toml")
        let expected = "buy  drag  drag  at the movement\n"
        #expect(try Tool.run(["check", main, part, "--no-legend"]).output == expected)
        #expect(try Tool.run(["check", "-c", main, part, "--no-legend"]).output == expected)
        #expect(try Tool.run(["check", main, "--conf-dir", folder("conf.d"), "--no-legend"]).output == expected)
        let alone = try Tool.run(["check", part])
        #expect(alone.status == 78)
        #expect(alone.errors.contains("\(part):1:1: error: no version; add the line: version = 1\n"))
        #expect(try Tool.run(["check", main, "/nonexistent.toml"]).status == 66)
    }

    @Test("a user in [access] that this system does not have is a warning")
    func users() throws {
        let outcome = try run(Self.good + "[access]\ncontrol_uids = [\"root\", \"nobody-of-that-name\"]\n", "--quiet")
            .outcome
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("warning: control_uids: no user is called \"nobody-of-that-name\""))
        #expect(!outcome.errors.contains("no user is called \"root\""))
    }

    @Test("a file of wake that cannot be read is a warning")
    func display() throws {
        let device = "[[device]]\nid = \"panel\"\nmatch = { name = \"*\" }\nshare = \"forward\"\n"
        let outcome = try run(Self.good + device + "wake = { display = \"/nowhere\" }\n", "--quiet").outcome
        #expect(outcome.status == 0)
        let warning =
            "warning: display of wake: open /nowhere: No such file or directory, so the display counts as on; "
        #expect(outcome.errors.contains(warning), "\(outcome.errors)")
        let ignored = try run(Self.good + device + "wake = { display = \"/nowhere\" }\nignore = true\n", "--quiet")
            .outcome
        #expect(!ignored.errors.contains("/nowhere"), "\(ignored.errors)")
    }

    @Test("a missing file ends with 66")
    func missing() throws {
        let outcome = try Tool.run(["check", "/nonexistent.toml"])
        #expect(outcome.status == 66)
        #expect(outcome.errors == "gesturectl: /nonexistent.toml: No such file or directory\n")
        for option in ["--mqtt", "--web", "--keys"] {
            let settings = try Tool.run(["check", option, "/nonexistent.toml"])
            #expect(settings.status == 66)
            #expect(settings.errors == outcome.errors)
        }
    }
}
