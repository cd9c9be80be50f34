// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureConfiguration

@Suite("The number of values")
struct TomlValueCounterTests {
    private static func count(_ text: [UInt8]) -> Int {
        var counter = TomlValueCounter(text)
        _ = counter.count(limit: .max)
        return counter.count
    }

    /// The number of values in the tree of a text without the root; `nil` if there is a syntax error.
    private static func parsed(_ text: [UInt8]) -> Int? {
        var limit = TomlValueLimit(most: .max)
        guard let table = try? TomlParser.parse(text, file: 0, limit: &limit) else { return nil }
        return values(ConfigurationValue(kind: .table(table), range: SourceRange(file: 0, line: 1, column: 1))) - 1
    }

    private static func values(_ value: ConfigurationValue) -> Int {
        switch value.kind {
        case .table(let table): table.entries.reduce(1) { $0 + values($1.value) }
        case .array(let items): items.reduce(1) { $0 + values($1) }
        default: 1
        }
    }

    @Test(
        "is that of the tree",
        arguments: [
            "", "# a = [1, 2]", "a = 1", "a = 1.5\nb = 2.5\n", "a.b.c = 1", "[a]", "[a.b.c]", "[a]\nb.c = [1, 2.5]",
            "a = [[1], [2, 3]]", "a = [{ b = 1, c = 2.5 }, { d.e = 3 }]", "a = \"x = [1, 2], # y\"", "a = 'x = [1, 2]'",
            "a = \"\"\"\nx = [1,\n\"2\" \"\"3 \\\"\"\"\" # b = 1\n", "a = '''\n[x]\n''\\'''\nb = 1",
            "a = \"\\\"=\\\\\"\nb = [\n1,\n\n2]",
            "a = \"\"\nb = ''\nc = [\"\", '']", "\"a.b\".c = 1", "a = [ # ]\n1, # 2, 3\n2 ]", "\u{FEFF}[a.b.c.d]",
            "  [a.b]\n\tc = 1",
            "a = \"\"\"x\"\"\"\"\"\nb = 1", "a = '''x'''''\nb = 1", "[a] # b.c\nd = 1", "[\"a.b\"]\r\nc = 1\r\n",
        ])
    func exact(text: String) throws {
        #expect(Self.count(Array(text.utf8)) == Self.parsed(Array(text.utf8)))
    }

    @Test(
        "may be higher by a few",
        arguments: [("a = []", 1), ("a = [1,]", 1), ("a.b = 1\na.c = 2", 1), ("[[a]]\n[[a]]", 1), ("[a.b]\n[a.c]", 1)])
    func higher(text: String, difference: Int) throws {
        let parsed = try #require(Self.parsed(Array(text.utf8)))
        #expect(Self.count(Array(text.utf8)) == parsed + difference)
    }

    @Test("is never lower in a text that can be parsed")
    func random() throws {
        let tokens = [
            "a", "b.c", ".", "=", "=", "1", "2.5", "[", "]", "[[", "]]", "{", "}", ",", "\n", "\n", " ", "#", "\"", "'",
            "\"\"\"",
            "'''", "\\", "\"x\"", "'y'", "[a]\n", "[[b]]\n", "c = ", "[1, 2]", "{ d = 1 }", "\r\n", "é", "\u{FEFF}",
        ]
        var random = SeededRandom(7)
        var valid = 0
        for _ in 0..<40_000 {
            let count = Int.random(in: 1...14, using: &random)
            let text = Array((0..<count).map { _ in random.pick(tokens) }.joined().utf8)
            guard let parsed = Self.parsed(text) else { continue }
            valid += 1
            #expect(Self.count(text) >= parsed, "\(String(decoding: text, as: UTF8.self).debugDescription)")
        }
        #expect(valid > 500)
    }

    /// `count` values, of which the last one is on a line of its own.
    private static func file(_ count: Int) -> String {
        "version = 1\n[[region]]\nid = \"r\"\nshape = \"full\"\n[x]\ny = [" + String(repeating: "1, ", count: count - 8)
            + "\n1]"
    }

    @Test("of all files together is limited, with the place of the first one that is too many")
    func limit() {
        func read(_ counts: [Int]) -> [String] {
            let files = counts.enumerated().map { (path: "f\($0)", text: Array(Self.file($1).utf8)) }
            return ConfigurationReader.read(files).diagnostics.filter { $0.code == .tooMany }.map { $0.headline }
        }
        let message =
            "error: there are more than 100000 values up to here, in all files together; leave out what is not needed"
        #expect(Self.count(Array(Self.file(1000).utf8)) == 1000)
        #expect(read([100_000]) == [])
        #expect(read([100_001]) == ["f0:6:299983: \(message)"])
        #expect(read([60_000, 40_000]) == [])
        // The rest is not read.
        #expect(read([60_000, 40_001, 40_000]) == ["f1:6:119983: \(message)"])
    }

    @Test("of a file of another program is limited, too")
    func others() {
        struct Settings: Sendable {}
        func read(_ count: Int) -> [DiagnosticCode] {
            ConfigurationReader.read(Array(Self.file(count).utf8), path: "f", keys: [], into: Settings())
                .diagnostics.map { $0.code }
        }
        #expect(!read(10_000).contains(.tooMany))
        #expect(read(10_001).contains(.tooMany))
    }
}
