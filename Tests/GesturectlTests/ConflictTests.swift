// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureTestSupport
import Testing

@testable import gesturectl

/// `gesturectl check --conflicts`
@Suite("Searching for conflicts")
struct ConflictTests {
    /// The parts of a conflict that `--json` prints.
    private struct Found: Decodable {
        struct Winner: Decodable {
            let region: String
            let gesture: String?
        }

        let code: String
        let region: String
        let gesture: String
        let scene: String?
        let winner: Winner?
        let cure: String?
        let touch: String

        var winnerName: String? {
            winner.map { winner in ([winner.region] + [winner.gesture].compactMap(\.self)).joined(separator: ".") }
        }
    }

    private struct Reply: Decodable {
        struct Searched: Decodable {
            let gestures: Int
            let touches: Int
            let complete: Bool
        }

        let conflicts: [Found]
        let searched: Searched
    }

    private static func search(_ file: String, seed: Int = 1) throws -> Reply {
        let outcome = try Tool.run(["check", "--conflicts", "--json", "--seed", "\(seed)", file])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Reply.self, from: Data(outcome.output.utf8))
    }

    private static func search(text: String, seed: Int = 1) throws -> Reply {
        let folder = try ScratchFolder()
        return try search(try folder.write(text, to: "kiosk.toml"), seed: seed)
    }

    @Test("finds each kind, names winner, rule and cure, and nothing else", arguments: PlantedConflict.all)
    func planted(conflict: PlantedConflict) throws {
        let start = MonotonicSeconds.now
        let reply = try Self.search(text: PlantedConflict.head + conflict.text)
        #expect(MonotonicSeconds.now - start < 10)
        let found = try #require(reply.conflicts.first)
        #expect(reply.conflicts.count == 1 && reply.searched.complete)
        #expect(found.code == conflict.code)
        #expect("\(found.region).\(found.gesture)" == conflict.loser)
        #expect(found.winnerName == conflict.winner)
        #expect(found.cure?.hasPrefix(conflict.cure) == true, "\(found.cure ?? "none")")
    }

    @Test("other touches find the same", arguments: PlantedConflict.all, [2, 3, 4])
    func otherTouches(conflict: PlantedConflict, seed: Int) throws {
        let reply = try Self.search(text: PlantedConflict.head + conflict.text, seed: seed)
        let found = try #require(reply.conflicts.first)
        #expect(reply.conflicts.count == 1 && found.code == conflict.code)
        #expect("\(found.region).\(found.gesture)" == conflict.loser)
    }

    @Test("what is changed has no conflict", arguments: PlantedConflict.all)
    func changed(conflict: PlantedConflict) throws {
        let text = conflict.text.replacing(conflict.change.from, with: conflict.change.to)
        #expect(text != conflict.text)
        let reply = try Self.search(text: PlantedConflict.head + text)
        #expect(reply.conflicts.isEmpty && reply.searched.complete, "\(reply.conflicts)")
    }

    @Test("the printed touch loses the gesture, or recognizes both", arguments: PlantedConflict.all)
    func touch(conflict: PlantedConflict) throws {
        let folder = try ScratchFolder()
        let file = try folder.write(PlantedConflict.head + conflict.text, to: "kiosk.toml")
        let found = try #require(try Self.search(file).conflicts.first)
        let scene = found.scene.map { ["--scene", $0] } ?? []
        let outcome = try Tool.run(["try", "-c", file, found.touch] + scene)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        func comes(_ region: String, _ gesture: String?) -> Bool {
            lines.contains { line in
                line.contains("\"region\":\"\(region)\"") && !line.contains("\"cancel\"")
                    && (gesture.map { line.contains("\"name\":\"\($0)\"") } ?? true)
            }
        }
        #expect(comes(found.region, found.gesture) == (found.code == "both"), "\(found.touch)\n\(outcome.output)")
        // The winner of a covered touch may have no gesture for it.
        if let winner = found.winner, winner.gesture != nil {
            #expect(comes(winner.region, winner.gesture), "\(found.touch)\n\(outcome.output)")
        }
    }

    /// The files that are installed, and the recipes of two pages.
    private static func shippedFiles() throws -> [(name: String, text: String)] {
        var files: [(name: String, text: String)] = []
        for folder in ["config", "config/examples"] {
            let path = "\(BuildProducts.root)/\(folder)"
            for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            where name.hasSuffix(".toml") && !["keys.toml", "mqtt.toml", "report.toml", "web.toml"].contains(name) {
                files.append(("\(folder)/\(name)", try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)))
            }
        }
        for page in ["docs/cookbook.md", "docs/tutorial.md"] {
            for block in try #require(Document(page)).blocks where block.language == "toml" {
                if block.text.contains("[[region]]") { files.append((block.description, block.text)) }
            }
        }
        return files
    }

    @Test("nothing is found in shipped files and recipes", arguments: [1, 2, 3])
    func shipped(seed: Int) throws {
        let files = try Self.shippedFiles()
        #expect(files.count >= 25)
        for file in files {
            let reply = try Self.search(text: file.text, seed: seed)
            #expect(reply.conflicts.isEmpty && reply.searched.complete, "\(file.name): \(reply.conflicts)")
            #expect(reply.searched.touches >= reply.searched.gestures, "\(file.name)")
        }
    }

    @Test("prints a paragraph for each, and the same one each time")
    func text() throws {
        let folder = try ScratchFolder()
        let list = try #require(PlantedConflict.all.first)
        let path = try folder.write(PlantedConflict.head + list.text, to: "kiosk.toml")
        let outcome = try Tool.run(["check", "--conflicts", path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let page = try #require(Document("docs/configuration.md"))
        let block = try #require(page.blocks.first { $0.text.contains("[claimed]") })
        #expect(outcome.output.replacing(path, with: "kiosk.toml") == block.text + "\n")
        #expect(try Tool.run(["check", "--conflicts", path]).output == outcome.output)
        #expect(try Tool.run(["check", "--conflicts", "--quiet", path]).output.hasSuffix("up a'\n"))
        let command = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("  gesturectl try ") })
        let narrow = try Tool.run(["check", "--conflicts", path], environment: ["COLUMNS": "40"]).output
        #expect(narrow.split(separator: "\n").contains(command) && narrow != outcome.output)
        #expect(try Tool.run(["check", "--conflicts", "--seed", "2", path]).output.contains("row.delete"))
    }

    @Test("without time it says that not all were searched")
    func time() throws {
        let list = try #require(PlantedConflict.all.first)
        let read = ConfigurationReader.read([("kiosk.toml", Array((PlantedConflict.head + list.text).utf8))])
        let configuration = try #require(read.configuration)
        var left = 3
        var search = ConflictSearch(configuration, seed: 1) {
            left -= 1
            return left >= 0
        }
        search.search(configuration.panelRules[0])
        #expect(!search.isComplete && search.conflicts.isEmpty && search.touches <= 3)
    }

    @Test("the number of questions does not grow with the square of the gestures")
    func questions() throws {
        let swipes = (1...60).map { "{ type = \"swipe\", name = \"s\($0)\" }" }.joined(separator: ", ")
        let text = PlantedConflict.head + "[[region]]\nid = \"r\"\nshape = \"full\"\ngestures = [\(swipes)]\n"
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        let stage = ConflictStage(configuration, configuration.panelRules[0], scene: nil)
        let counts = stage.gestures.map { stage.questions($0.region, $0.gesture, seed: 1).count }
        #expect(counts == Array(repeating: 4, count: 60))
    }

    @Test("what the check without touches says is not repeated")
    func known() throws {
        let covered = """
            [[region]]
            id = "ok"
            shape = { rect = [100, 100, 100, 100] }
            gestures = ["tap"]
            [[region]]
            id = "page"
            shape = "full"
            gestures = ["swipe", { type = "swipe", name = "fast", min_velocity = "2000mm/s" }]
            [[region]]
            id = "seer"
            shape = "full"
            private = true
            pass = true
            gestures = ["tap"]

            """
        #expect(try Self.search(text: PlantedConflict.head + covered).conflicts.isEmpty)
    }

    @Test("each rule is planted, and on the page")
    func rules() throws {
        let page = try #require(Document("docs/configuration.md")).text
        let rules = Set(ConflictRule.allCases.map(\.rawValue))
        #expect(Set(PlantedConflict.all.map(\.code)) == rules)
        for rule in rules { #expect(page.contains("| `\(rule)` |"), "\(rule)") }
    }

    @Test("options that do not fit are refused")
    func options() throws {
        for options in [["--mqtt"], ["--web"], ["--keys"], ["--accessibility"]] {
            #expect(try Tool.run(["check", "--conflicts"] + options).status == 64)
        }
        #expect(try Tool.run(["check", "--seed", "2"]).status == 64)
    }
}
