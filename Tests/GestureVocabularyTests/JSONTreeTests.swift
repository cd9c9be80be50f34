// SPDX-License-Identifier: MIT
import Testing

@testable import GestureVocabulary

@Suite("Schemas that are generated")
struct JSONTreeTests {
    @Test("have short objects on one line, and fill lines with words")
    func text() {
        let words = (10..<40).map { JSONTree.text("word \($0)") }
        let schema: JSONTree = [
            "a": ["type": "string", "pattern": "\"\\d"], "b": ["enum": .list(words)], "c": .number("1.5"),
        ]
        let lines = schema.formatted().split(separator: "\n")
        #expect(lines[1] == #"  "a": {"type": "string", "pattern": "\"\\d"},"#)
        #expect(lines[2] == #"  "b": {"#)
        #expect(lines[3] == #"    "enum": ["#)
        #expect(lines[4].hasPrefix(#"      "word 10", "word 11", "#) && lines[4].hasSuffix(","))
        #expect(lines.allSatisfy { $0.count <= 120 })
        #expect(schema.formatted().hasSuffix("  \"c\": 1.5\n}"))
        #expect(
            (["a": [], "b": [:], "c": [.null, true, 9_007_199_254_740_992]] as JSONTree).line
                == "{\"a\": [], \"b\": {}, \"c\": [null, true, 9007199254740992]}")
    }
}
