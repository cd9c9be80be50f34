// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@Suite("docs/clients.md")
struct ClientsPageTests {
    @Test(
        "quotes the examples verbatim",
        arguments: [
            ("swift", "clients/swift/example_kiosk.swift"), ("python", "clients/python/example_kiosk.py"),
            ("javascript", "clients/javascript/example_kiosk.mjs"),
            ("python", "clients/python/example_glib.py"), ("qml", "clients/qt/example_socket.qml"),
        ])
    func examples(language: String, path: String) throws {
        let page = try #require(Document("docs/clients.md"))
        let example = try #require(Document(path)).text.split(separator: "\n", omittingEmptySubsequences: false)
        // The quotation omits the licence and the first comment.
        #expect(example.prefix(2).allSatisfy { $0.hasPrefix("//") || $0.hasPrefix("#") })
        let quotation = example.dropFirst(2).joined(separator: "\n")
        #expect(page.blocks.contains { $0.language == language && $0.text + "\n" == quotation })
    }

    @Test("the QML item has a signal for each kind of gesture")
    func signals() throws {
        let source = try #require(Document("clients/qt/region.cpp")).text
        for row in KindRow.all { #expect(source.contains("kind == QLatin1String(\"\(row.word)\")"), "\(row.word)") }
    }

    @Test("lists the features of each client, in each language")
    func names() throws {
        let page = try #require(Document("docs/clients.md"))
        let sources = [
            try swiftSources(), try #require(Document("clients/python/gestured.py")).text,
            try #require(Document("clients/javascript/gestured.mjs")).text,
        ]
        let definitions = [
            ["func NAME(", "var NAME:", "case NAME(", "case NAME\n"], ["def NAME(", "NAME: ", "class NAME("],
            [" NAME(", "} [NAME]", "class NAME "],
        ]
        var count = 0
        for row in page.text.split(separator: "\n") where row.hasPrefix("| ") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, cells[1].hasPrefix("`") else { continue }
            for (column, cell) in cells.dropFirst().enumerated() {
                for name in cell.split(separator: "`") where !name.contains(",") {
                    let isThere = definitions[column].contains {
                        sources[column].contains($0.replacingOccurrences(of: "NAME", with: name))
                    }
                    #expect(isThere, "\(name) of \"\(cells[0])\"")
                    count += 1
                }
            }
        }
        #expect(count > 50)
    }

    @Test("lists the attributes of each event, in each language")
    func attributes() throws {
        let page = try #require(Document("docs/clients.md")).text
        let section = try #require(page.components(separatedBy: "### Attributes\n").last)
        let python = try #require(Document("clients/python/gestured.py")).text
        let javascript = try #require(Document("clients/javascript/gestured.mjs")).text
        let swift = try swiftSources()
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        // `Unknown` has no row. `Disconnected` and four parts of events are not lines.
        #expect(rows.count == python.matches(of: #/\nclass \w+\(_Line\):/#).count - 1 + 5)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.matches(of: #/`(\w+)`/#).map { String($0.1) } }
            let (name, keys, properties) = (cells[0][0], Set(cells[1]), Set(cells[2].dropFirst()))
            #expect(keys == pythonAttributes(of: name, in: python), "\(name) in Python")
            #expect(keys == javascriptKeys(of: name, in: javascript), "\(name) in JavaScript")
            #expect(properties == swiftProperties(of: cells[2][0], in: swift), "\(cells[2][0]) in Swift")
        }
    }

    private func pythonAttributes(of name: String, in source: String) -> Set<String> {
        let block = source.components(separatedBy: "\nclass \(name)").dropFirst().first ?? ""
        return Set(block.components(separatedBy: "\n\n\n")[0].matches(of: #/\n    (\w+): /#).map { String($0.1) })
    }

    /// The keys of a type in a comment, without `event` and `added`.
    private func javascriptKeys(of name: String, in source: String) -> Set<String> {
        var keys: [String] = []
        for type in source.components(separatedBy: "@typedef ").dropFirst() {
            if type.hasPrefix("{object} \(name)\n") {
                keys = type.matches(of: #/@property \{[^}]*\} \[?(\w+)/#).map { String($0.1) }
            } else if let end = type.firstRange(of: "}} "), type[end.upperBound...].prefix(while: \.isLetter) == name {
                // The braces of a nested object contain keys of that object.
                let own = type[..<end.lowerBound].dropFirst(2).replacing(#/\{[^}]*\}/#, with: "")
                keys = own.matches(of: #/(\w+)\??: /#).map { String($0.1) }
            }
        }
        return Set(keys).subtracting(["event", "added"])
    }

    /// The stored properties of a struct, or the labels of a case.
    private func swiftProperties(of name: String, in source: String) -> Set<String> {
        if let block = source.components(separatedBy: "public struct \(name): Hashable").dropFirst().first {
            let body = block.components(separatedBy: "\n    }\n")[0] + "\n"
            return Set(body.matches(of: #/public var (\w+)(?: = \d|: [^{\n]*\n)/#).map { String($0.1) })
        }
        let labels = source.components(separatedBy: "case \(name)(").dropFirst().first?.prefix { $0 != ")" } ?? ""
        return Set(labels.matches(of: #/(\w+): /#).map { String($0.1) })
    }

    private func swiftSources() throws -> String {
        let folder = Document.root + "/Sources/client/GestureClient"
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        let texts = try files.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
        return texts.joined()
    }
}
