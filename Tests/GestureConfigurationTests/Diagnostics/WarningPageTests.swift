// SPDX-License-Identifier: MIT
import GestureConfiguration
import Testing

@Suite("docs/configuration.md")
struct WarningPageTests {
    @Test("lists every warning")
    func warnings() throws {
        let page = try readText(packageRoot + "/docs/configuration.md")
        let section = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("Warnings\n") })
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.map { String($0.split(separator: "`")[1]) }
        #expect(Set(listed) == Set(DiagnosticCode.allCases.filter { $0.isWarning }.map { $0.rawValue }))
    }
}

extension DiagnosticCode {
    /// Whether the code is used only for warnings.
    fileprivate var isWarning: Bool {
        switch self {
        case .similarID, .waits, .noEffect, .neverHit, .fewRegions, .outside, .unknownSize, .tooLong, .unmatched,
            .shared:
            true
        case .unreadable, .syntax, .unknownKey, .missingKey, .wrongType, .badValue, .outOfRange, .missingUnit,
            .duplicateID, .duplicateName, .unknownRegion, .unknownName, .parentCycle, .gestureCycle, .tooMany, .more:
            false
        }
    }
}
