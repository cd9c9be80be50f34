// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Files for people and for services that host the project.
@Suite("Files of the project")
struct ProjectFileTests {
    private func text(_ path: String) throws -> String {
        try #require(Document(path), "there is no \(path)").text
    }

    @Test("the workflow runs the parts of .ci/run")
    func workflow() throws {
        let script = try text(".ci/run").firstMatch(of: #/for target in (.*); do/#)
        let matrix = try text(".github/workflows/ci.yml").firstMatch(of: #/target: \[(.*)\]/#)
        let targets = try #require(script).1.split(separator: " ")
        #expect(targets.count > 3)
        #expect(try targets.joined(separator: ", ") == #require(matrix).1)
    }

    @Test("the templates of issues ask for the bundle", arguments: ["bug", "panel"])
    func templates(name: String) throws {
        let template = try text(".github/ISSUE_TEMPLATE/\(name).yml")
        #expect(template.contains("`sudo gesturectl doctor --bundle bundle.json`"))
        #expect(template.contains("`sudo gesturectl record -o panel.yml`"))
        #expect(try text("Sources/tool/gesturectl/Commands/Doctor.swift").contains("var bundle: String?"))
    }

    private static let hasYAML = (try? Shell.run("python3 -c 'import yaml'").status) == 0

    @Test("all of them are YAML", .enabled(if: hasYAML, "needs PyYAML"))
    func yaml() throws {
        let outcome = try Shell.run(
            """
            for file in .github/*/*.yml; do
              python3 -c 'import sys, yaml; assert yaml.safe_load(open(sys.argv[1]))' $file || exit 1
            done
            """)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("nothing that is installed plays touches")
    func players() throws {
        let found = try Shell.run("git grep -lE 'gesturectl.{0,2} play' -- systemd packaging scripts/install clients")
        #expect(found.output == "")
        #expect(try Shell.run("git grep -lE 'gesturectl.{0,2} share' -- systemd packaging").output != "")
    }

    @Test("no file has an invented address")
    func addresses() throws {
        let name = ["example", "org"].joined(separator: ".")
        let outcome = try Shell.run("git grep -lF \(name)")
        #expect(outcome.output == "")
    }

    @Test(
        "the packages of the clients have a text, keywords and a licence, and an example that is the source's",
        arguments: [
            ("python", "gestured.py", "pyproject.toml", ["\nreadme = \"README.md\"\n", "\nkeywords = [", "MIT"]),
            ("javascript", "gestured.mjs", "package.json", ["\"keywords\": [", "\"license\": \"MIT\""]),
        ])
    func clients(folder: String, module: String, metadata: String, words: [String]) throws {
        let data = try text("clients/\(folder)/\(metadata)")
        for word in words { #expect(data.contains(word), "\(metadata): no \(word)") }
        let readme = try #require(Document("clients/\(folder)/README.md"))
        let source = try text("clients/\(folder)/\(module)").replacing("\n *", with: "\n")
            .replacing("./gestured.mjs", with: "gestured")
        let lines = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        let example = try #require(readme.blocks.first).lines.map { $0.trimmingCharacters(in: .whitespaces) }
        for line in example where !line.isEmpty { #expect(lines.contains(line), "\(module) has no \(line)") }
    }
}
