// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Configurations that are installed or shown in the documentation are valid.
@Suite("Shipped files")
struct ShippedFilesTests {
    /// `config/gestured.toml` and the examples.
    static let files: [String] = {
        let examples = (try? FileManager.default.contentsOfDirectory(atPath: packageRoot + "/config/examples")) ?? []
        return ["config/gestured.toml", "packaging/home-assistant/gestured.toml"]
            + examples.sorted().map { "config/examples/" + $0 }
    }()

    @Test("is read without a diagnostic, on any panel", arguments: files)
    func file(path: String) throws {
        let text = Array(try readText(packageRoot + "/" + path).utf8)
        let (configuration, diagnostics) = ConfigurationReader.read([(path, text)])
        #expect(diagnostics.map { $0.description } == [])
        let found = try #require(configuration)
        #expect(!found.regions.isEmpty)
        for panel in [PanelSize.fullHD, .small, .huge] {
            let (regions, warnings) = found.regions(for: panel, rule: found.devices.first)
            #expect(warnings.map { $0.description } == [])
            #expect(regions.count == found.regions.count)
        }
    }

    @Test("the demonstration is read without a diagnostic, on its own panel")
    func demonstration() throws {
        let (configuration, diagnostics) = ConfigurationReader.read(try readText(packageRoot + "/config/demo.toml"))
        let found = try #require(configuration)
        let (regions, warnings) = found.regions(for: .fullHD, rule: found.devices.first)
        #expect((diagnostics + warnings).map { $0.description } == [])
        #expect(regions.map(\.id) == ["list", "coffee", "tea", "water", "carousel", "volume", "louder"])
    }

    @Test func defaultHasGesturesOfEveryCommonKind() throws {
        let regions = try layout(try readText(packageRoot + "/config/gestured.toml"))
        let words = Set(regions.flatMap { $0.gestures.map { $0.word } })
        let common: Set = [
            "press", "tap", "double_tap", "two_finger_tap", "long_press", "repeat", "swipe", "drag", "pinch", "rotate",
        ]
        #expect(words == common)
    }

    /// Keys that are commented out show the defaults, so uncommenting them must not change anything.
    @Test func defaultsThatAreCommentedOutAreTheBuiltInOnes() throws {
        let text = try readText(packageRoot + "/config/gestured.toml")
        let kinds = KindRow.all.filter { !$0.defaultKeys.isEmpty }.map(\.word)
        let keys = kinds + ["leave", "palm", "max_touch", "storm", "bridge"]
        let changed = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            keys.contains { line.hasPrefix("# \($0) = ") } ? line.dropFirst(2) : line
        }.joined(separator: "\n")
        #expect(changed.utf8.count == text.utf8.count - keys.count * 2)
        #expect(try layout(changed) == layout(text))
        let filters = try [text, changed].map { try #require(ConfigurationReader.read($0).configuration) }
            .map { $0.filter(for: .fullHD) }
        #expect(filters[0] == filters[1])
    }

    /// A thumb rests on the list, or on the edge strip beside it, while one or two fingers scroll.
    @Test("a list scrolls beside a thumb that rests", arguments: ["30,100", "5,100"], ["& down b 260,100", ""])
    func thumb(place: String, second: String) throws {
        let text = try readText(packageRoot + "/config/examples/scrolling-list.toml")
        let regions = try layout(text)
        let bounds = PanelSize.fullHD.bounds
        var engine = GestureEngine(regions, bounds: bounds)
        let moves = [108, 116].map { y in
            "+20ms; move a 240,\(y)" + (second.isEmpty ? "" : " & move b 260,\(y)")
        }
        let script =
            "down t \(place); +300ms; down a 240,100 \(second); " + moves.joined(separator: "; ")
            + "; +20ms; up a \(second.isEmpty ? "" : "& up b"); +500ms; up t"
        let lines = simulate(&engine, script).split(separator: "\n").filter { $0.contains("list.scroll") }
        #expect(lines.first?.contains("begin") == true, "\(lines)")
        #expect(lines.last?.contains("list.scroll end") == true, "\(lines)")
    }

    static let pages: [String] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: packageRoot + "/docs")) ?? []
        return (["README.md"] + docs.sorted().filter { $0.hasSuffix(".md") }.map { "docs/" + $0 })
            .filter { FileManager.default.fileExists(atPath: packageRoot + "/" + $0) }
    }()

    @Test("every TOML snippet of a page is valid", arguments: pages)
    func snippets(page: String) throws {
        for snippet in tomlSnippets(try readText(packageRoot + "/" + page)) {
            let (configuration, diagnostics) = ConfigurationReader.read(snippet, path: page)
            #expect(configuration != nil, "\(diagnostics.map { $0.description }.joined(separator: "\n"))")
        }
    }

    @Test func snippetsAreFound() {
        #expect(
            tomlSnippets("a\n```toml\nx = 1\ny = 2\n```\n```sh\nls\n```\n  ```toml\n  z\n  ```\n") == [
                "x = 1\ny = 2", "  z",
            ])
    }

    @Test func thereArePagesAndExamples() {
        #expect(Self.files.count >= 4)
        #expect(Self.pages.contains("docs/configuration.md"))
    }
}

/// The blocks between ```` ```toml ```` and the next fence, except those that are marked as files of other programs.
private func tomlSnippets(_ page: String) -> [String] {
    var result: [String] = []
    var open: [Substring]?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
        let word = line.drop { $0 == " " }
        if let lines = open {
            if word.hasPrefix("```") {
                result.append(lines.joined(separator: "\n"))
                open = nil
            } else {
                open = lines + [line]
            }
        } else if word == "```toml" {
            open = []
        }
    }
    return result
}
