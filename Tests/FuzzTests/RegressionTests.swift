// SPDX-License-Identifier: MIT
import Foundation
import FuzzBodies
import Testing

/// Everything that `make fuzz` ever found goes through the same functions again, and so do inputs
/// that once opened a new way through the code.
@Suite("Fuzzed inputs")
struct RegressionTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fuzz").standardizedFileURL.path

    @Test("what was found stays away", arguments: FuzzTarget.allCases)
    func regressions(_ target: FuzzTarget) throws { try run("Regressions", target) }

    @Test("the corpus holds", arguments: FuzzTarget.allCases)
    func corpus(_ target: FuzzTarget) throws { try run("Corpus", target) }

    /// No folder: there is nothing yet.
    private func run(_ kind: String, _ target: FuzzTarget) throws {
        let folder = "\(Self.folder)/\(kind)/\(target.rawValue)"
        for file in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            let complaint = bytes.withUnsafeBytes { target.run($0) }
            #expect(complaint == nil, "\(folder)/\(file)")
        }
    }
}
