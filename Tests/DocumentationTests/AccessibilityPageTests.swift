// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureTestSupport
import Testing

@Suite("docs/accessibility.md")
struct AccessibilityPageTests {
    @Test("lists each rule with its severity and its clause")
    func rules() throws {
        let page = try #require(Document("docs/accessibility.md")).text
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        for rule in AccessibilityRule.allCases {
            let row = try #require(rows.first { $0[0] == "`\(rule.rawValue)`" }, "\(rule.rawValue)")
            #expect(row[1] == rule.severity.rawValue, "\(rule.rawValue)")
            #expect(row[2].hasPrefix(rule.clause ?? "none"), "\(rule.rawValue)")
        }
    }
}
