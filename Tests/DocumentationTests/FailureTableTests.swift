// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

/// The table of failure codes in docs/protocol.md.
@Suite("Failure codes in the documentation")
struct FailureTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var code: String
        /// The kinds of gestures that use this code, or `all`.
        var gestures: [String]
        var unit: String
        var key: String
        var message: String

        var testDescription: String { "\(code): \(message)" }
    }

    private static let rows: [Row] = {
        let lines = Document("docs/protocol.md")?.text.split(separator: "\n") ?? []
        guard let legend = lines.firstIndex(of: "| code | gestures | unit | key | message |") else { return [] }
        return lines[(legend + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.dropFirst(2).dropLast(2).replacing("|  |", with: "| - |").replacing("|  |", with: "| - |")
                .split(separator: " | ")
            let gestures = cells.count == 5 ? cells[1] : ""
            return Row(
                code: cells.first.map { $0.filter { $0 != "`" } } ?? "",
                gestures: gestures.replacing(" with `max_deviation`", with: "").filter { $0 != "`" }
                    .split(separator: ", ").map(String.init),
                unit: cells.count == 5 && cells[2] != "-" ? String(cells[2]) : "",
                key: cells.count == 5 && cells[3] != "-" ? cells[3].filter { $0 != "`" } : "",
                message: cells.last.map(String.init) ?? "")
        }
    }()

    @Test("`allCases` has every code of the source")
    func allCases() throws {
        let source = try #require(Document("Sources/core/GestureEngine/Events/GestureFailure.swift")).text
        let cases = source.split(separator: "\n").filter { $0.hasPrefix("        case ") }.map { line in
            line.dropFirst(13).prefix { $0.isLetter }
        }
        var names: [Substring] = []
        for code in GestureFailure.Code.allCases {
            let name = Substring("\(code)").prefix { $0.isLetter }
            if names.last != name { names.append(name) }
        }
        #expect(Set(cases) == Set(names) && cases.count > 30)
    }

    @Test("all codes are documented, in the order of the source, and no others")
    func codes() {
        var documented: [String] = []
        for row in Self.rows where documented.last != row.code { documented.append(row.code) }
        #expect(documented == GestureFailure.Code.words)
    }

    @Test("codes, units and keys match the schema")
    func schema() throws {
        let text = try #require(Document("docs/protocol.schema.json")).text
        let failed = try JSONDocument.read(text, depth: 40).root["$defs"]?["failed"]?["properties"]
        #expect(failed?["code"]?["enum"]?.array?.map { $0.string } == GestureFailure.Code.words)
        let units = Set((failed?["unit"]?["enum"]?.array ?? []).compactMap { $0.string })
        #expect(units == Set(Self.rows.map(\.unit)).subtracting([""]))
        let keys = (failed?["key"]?["enum"]?.array ?? []).compactMap { $0.string }
        #expect(Set(keys) == Set(FailureKey.words) && keys.count == FailureKey.words.count)
        #expect(Set(keys) == Set(Self.rows.map(\.key)).subtracting([""]))
    }

    @Test("messages match the daemon's", arguments: rows)
    func sentence(row: Row) throws {
        let codes = GestureFailure.Code.allCases.filter { $0.word == row.code }
        // Two codes have the word `wrong_direction`.
        let code = try #require(row.key == "max_deviation" ? codes.last : codes.first)
        let numbers = row.message.split { !$0.isNumber && $0 != "." }.compactMap { Double($0) }
        // Directions are given in words instead of numbers.
        let direction: SwipeDirection? = row.message.hasPrefix("went down; ") ? .down : nil
        let drawn: [SwipeDirection] = row.message.hasPrefix("drew right, up; ") ? [.right, .up] : []
        #expect(numbers.isEmpty == (row.unit.isEmpty || direction != nil || !drawn.isEmpty))
        let failure = GestureFailure(
            code, value: numbers.first ?? 0, limit: numbers.last ?? 0, isFixed: row.key.isEmpty, direction: direction,
            drawn: DirectionList(drawn))
        let kinds = row.gestures == ["all"] ? GestureKind.allCases : row.gestures.compactMap { gestureKind($0) }
        #expect(!kinds.isEmpty && (row.gestures == ["all"] || kinds.count == row.gestures.count))
        for kind in kinds {
            var body = JSONWriter()
            FailureReport(failure, of: kind, directions: [.left, .right]).write(to: &body)
            let line = try JSONDocument.read("{\(body.text)}").root
            #expect(line["message"]?.string == row.message, "\(kind)")
            #expect(line["code"]?.string == row.code)
            #expect(line["unit"]?.string ?? "" == row.unit)
            #expect(line["key"]?.string ?? "" == row.key, "\(kind)")
            #expect((line["value"] != nil) == !row.unit.isEmpty)
        }
    }

    private func gestureKind(_ word: String) -> GestureKind? {
        GestureKind.allCases.first { kind in
            word == "\(kind)".map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
        }
    }

    private static let examples = Document.blocks(in: "json").flatMap(\.lines)
        .filter { $0.hasPrefix("{\"event\":\"failed\"") }

    @Test("examples are lines that the daemon writes", arguments: examples)
    func example(text: String) throws {
        let line = try JSONDocument.read(text).root
        let code = try #require(GestureFailure.Code.allCases.first { FailureWording($0).name == line["code"]?.string })
        let word = try #require(line["gesture"]?.string)
        let kind = try #require(gestureKind(word))
        var body = EventLine()
        body.start(.failed)
        for key in ["gesture", "name", "action", "region", "device"] where line[key] != nil {
            body.body.key(named: key)
            body.body.value(line[key]?.string ?? "")
        }
        body.body.member("sequence", line["sequence"]?.integer ?? 0)
        let failure = GestureFailure(code, value: line["value"]?.number ?? 0, limit: line["limit"]?.number ?? 0)
        FailureReport(failure, of: kind, directions: []).write(to: &body.body)
        body.writeTime(line["time_us"]?.integer ?? 0)
        var written = JSONWriter()
        body.write(number: line["seq"]?.integer ?? 0, into: &written)
        #expect(written.text == text + "\n")
    }
}
