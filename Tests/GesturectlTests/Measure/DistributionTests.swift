// SPDX-License-Identifier: MIT
import Testing

@testable import gesturectl

@Suite("Distributions")
struct DistributionTests {
    @Test(
        "quantiles are interpolated linearly",
        arguments: [
            ([7], 0.0, 7), ([7], 0.5, 7), ([7], 1, 7),
            ([1, 2], 0.5, 1.5), ([2, 1], 0.25, 1.25),
            ([1, 2, 3, 4], 0.5, 2.5), ([4, 3, 2, 1], 0.9, 3.7),
            ([10, 20, 30, 40, 50], 0.1, 14), ([10, 20, 30, 40, 50], 0.95, 48),
            ([0, 0, 0, 100], 0.5, 0), ([1, 2], -1, 1), ([1, 2], 2, 2),
            ([1, .infinity, 3, .nan], 1, 3),
        ] as [([Double], Double, Double)])
    func quantiles(values: [Double], share: Double, expected: Double) throws {
        let found = try #require(Distribution(values)).quantile(share)
        #expect(abs(found - expected) < 1e-12)
    }

    @Test("without a finite number there is no distribution")
    func empty() {
        #expect(Distribution([]) == nil)
        #expect(Distribution([.nan, .infinity]) == nil)
    }

    @Test(
        "each number belongs to one bin",
        arguments: [
            ([5], 4, [1]), ([5, 5, 5], 4, [3]), ([0, 1, 2, 3, 4], 4, [1, 1, 1, 2]), ([0, 4], 4, [1, 0, 0, 1]),
            ([0, 1, 1, 1, 1, 1, 1, 1, 1, 10], 2, [9, 1]), ([0, 1], 0, [2]),
        ] as [([Double], Int, [Int])])
    func counts(values: [Double], parts: Int, expected: [Int]) throws {
        #expect(try #require(Distribution(values)).counts(parts: parts) == expected)
    }

    @Test(
        "the fullest bin is the highest, and no bin with a number is drawn empty",
        arguments: [
            ([5], "█"), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], "█  ▁"), ([0, 1, 1, 3], "▄█ ▄"),
            ([0, 1, 2, 3], "████"),
        ] as [([Double], String)])
    func bars(values: [Double], expected: String) throws {
        #expect(try #require(Distribution(values)).bars(parts: 4) == expected)
    }
}
