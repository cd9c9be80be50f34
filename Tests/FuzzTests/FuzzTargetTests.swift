// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@testable import FuzzBodies

/// Runs the functions of the fuzzers on all earlier findings of `scripts/fuzz` and on its corpus.
@Suite("Targets of the fuzzers")
struct FuzzTargetTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fuzz").standardizedFileURL.path

    @Test("find nothing in earlier findings", arguments: FuzzTarget.allCases)
    func regressions(_ target: FuzzTarget) throws { try run("Regressions", target) }

    @Test("find nothing in the corpus", arguments: FuzzTarget.allCases)
    func corpus(_ target: FuzzTarget) throws { try run("Corpus", target) }

    /// Panels without slots, whose contacts are listed without ids and must be matched, are rare in the corpus. This
    /// test plays random bytes on them.
    @Test("find nothing on panels without slots, at random", arguments: 0..<4)
    func unslotted(seed: UInt64) {
        var random = SeededRandom(seed)
        for length in 1...100 {
            // The first byte selects a panel without slots.
            let bytes = [UInt8(0x38 | seed)] + (0..<length * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
            let complaint = bytes.withUnsafeBytes { FuzzTarget.events.run($0) }
            #expect(complaint == nil, "seed \(seed), \(length)")
        }
    }

    @Test("make gestures with every key")
    func keys() {
        var random = SeededRandom(1)
        var missing = Set(KindRow.all.flatMap { row in row.keys.map { "\(row.word).\($0.name)" } })
        for _ in 0..<3000 {
            let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
            let gestures = bytes.withUnsafeBytes { bytes in
                var bytes = FuzzBytes(bytes)
                return GestureMaker.gestures(&bytes, ids: ["a", "b"])
            }
            for gesture in gestures {
                let row = gesture.settings.kind.row
                missing.subtract(row.differences(gesture.settings).map { "\(row.word).\($0.name)" })
            }
        }
        #expect(missing.isEmpty)
    }

    /// Runs all files of a folder, which need not exist.
    private func run(_ kind: String, _ target: FuzzTarget) throws {
        let folder = "\(Self.folder)/\(kind)/\(target.rawValue)"
        for file in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            let complaint = bytes.withUnsafeBytes { target.run($0) }
            #expect(complaint == nil, "\(folder)/\(file)")
        }
    }
}
