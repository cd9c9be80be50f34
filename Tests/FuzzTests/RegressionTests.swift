// SPDX-License-Identifier: MIT
import FuzzBodies
import Foundation
import Testing

/// Everything that `make fuzz` ever found goes through the same functions again.
@Suite("Findings of the fuzzer")
struct RegressionTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fuzz/Regressions").standardizedFileURL.path

    @Test("stay away", arguments: FuzzTarget.allCases)
    func replay(_ target: FuzzTarget) throws {
        let folder = Self.folder + "/" + target.rawValue
        // No folder: nothing was found yet.
        for file in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            let complaint = bytes.withUnsafeBytes { target.run($0) }
            #expect(complaint == nil, "\(folder)/\(file)")
        }
    }
}
