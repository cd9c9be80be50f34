// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Files, links and targets that the documentation refers to exist.
@Suite("References in the documentation")
struct ReferenceTests {
    @Test("to files and folders", arguments: Document.all)
    func paths(document: Document) {
        for (text, line) in document.quotations where isProjectPath(text) {
            #expect(exists(text), "\(document.path):\(line): no \(text)")
        }
    }

    @Test("in links, and to headings, on each page of the repository")
    func links() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Document.root + "/scripts/check-links")
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(output)")
    }

    @Test("to targets of make", arguments: Document.all)
    func targets(document: Document) throws {
        let makefile = try #require(Document("Makefile")).text.split(separator: "\n")
        let blocks = document.blocks.filter { $0.language == "sh" }
        let lines = document.quotations.map(\.text) + blocks.flatMap(\.lines)
        for line in lines where line.hasPrefix("make ") {
            for word in line.split(separator: " ").dropFirst() {
                if word == "#" { break }
                guard !word.contains("=") else { continue }
                #expect(makefile.contains { $0.hasPrefix("\(word):") }, "\(document.path): make \(word)")
            }
        }
    }

    @Test("to every module, in docs/architecture.md")
    func modules() throws {
        let page = try #require(Document("docs/architecture.md"))
        let files = FileManager.default
        for layer in try files.contentsOfDirectory(atPath: Document.root + "/Sources") {
            let modules = try files.contentsOfDirectory(atPath: Document.root + "/Sources/" + layer)
            #expect(!modules.isEmpty)
            for module in modules {
                #expect(page.text.contains("`Sources/\(layer)/\(module)`"), "no Sources/\(layer)/\(module)")
            }
        }
    }

    @Test("to the functions on the path of a touch, in docs/architecture.md, and to their number")
    func pathOfTouch() throws {
        let page = try #require(Document("docs/architecture.md")).text
        let section = try #require(page.components(separatedBy: "## The path of a touch\n").last)
        let rows = section.components(separatedBy: "\n## ")[0].components(separatedBy: "\n")
            .map { $0.components(separatedBy: "|") }.filter { $0.count == 5 && $0[2].contains(".swift") }
        var functions: Set<String> = []
        for row in rows {
            let file = row[2].trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            let source = try #require(Document(file), "no \(file)").text
            for (index, name) in row[1].components(separatedBy: "`").enumerated() where index % 2 == 1 {
                #expect(source.contains("func \(name)("), "no \(name) in \(file)")
                functions.insert("\(file) \(name)")
            }
        }
        let files = Set(rows.map { $0[2] })
        #expect(section.contains("They are \(functions.count) functions in \(files.count) files."))
        #expect((30...60).contains(functions.count) && files.count <= 20)
    }

    @Test("to every library that the daemon may link, in docs/dependencies.md")
    func libraries() throws {
        let page = try #require(Document("docs/dependencies.md"))
        let script = try #require(Document("scripts/check-size")).text.split(separator: "\n")
        let list = try #require(script.first { $0.hasPrefix("LIBRARIES=") })
        let libraries = list.split(separator: "\"").dropFirst().flatMap { $0.split(separator: " ") }
        #expect(libraries.count > 2)
        for library in libraries {
            let name = library.prefix { $0 != "." }
            #expect(page.text.contains(name), "docs/dependencies.md: no \(name)")
        }
    }

    @Test("include README.md and pages in docs")
    func pages() {
        #expect(Document.all.map(\.path).contains("README.md"))
        #expect(Document.all.map(\.path).contains("docs/gestures.md"))
    }

    /// Whether a text starts with a folder of the project, or names a file at its top level.
    private func isProjectPath(_ text: String) -> Bool {
        guard !text.contains(" "), !text.contains("*") else { return false }
        let folders = [
            "Sources/", "Tests/", "docs/", "config/", "systemd/", "scripts/", ".ci/", "clients/", "packaging/",
        ]
        return folders.contains { text.hasPrefix($0) } || ["Makefile", "Package.swift", "LICENSE"].contains(text)
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Document.root + "/" + path)
    }
}
