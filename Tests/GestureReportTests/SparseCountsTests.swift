// SPDX-License-Identifier: MIT
import Testing

@testable import GestureReport

@Suite("counts and times of the report")
struct SparseCountsTests {
    @Test("what is written is read again")
    func bytes() {
        var counts = SparseCounts()
        for (place, count) in [(0, 1), (1, 127), (2, 128), (700, 70_000), (65_535, 1)] { counts.add(count, at: place) }
        #expect(SparseCounts(bytes: counts.bytes) == counts)
        #expect(counts.bytes.count == 16)
    }

    @Test(
        "no bytes are a mistake, and places beyond the limit are left out",
        arguments: [
            [UInt8](), [0x80], [0, 1], [1], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
            [0x80, 0x80, 0x04, 1, 1, 1], [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
        ])
    func damaged(_ bytes: [UInt8]) {
        let counts = SparseCounts(bytes: bytes)
        #expect(counts.sorted.allSatisfy { $0.place < SparseCounts.mostPlaces && $0.count <= 1 << 40 })
    }

    @Test("a step says how far a value was beyond its limit, on both sides")
    func steps() {
        #expect(LimitStep.step(of: 104, limit: 100) == 0)
        #expect(LimitStep.step(of: 106, limit: 100) == 1)
        #expect(LimitStep.step(of: 50, limit: 100) == 14)
        #expect(LimitStep.step(of: 0, limit: 100) == LimitStep.count - 1)
        #expect(LimitStep.step(of: 1e9, limit: 100) == LimitStep.count - 1)
        #expect(LimitStep.step(of: .nan, limit: 100) == nil)
        #expect(LimitStep.factor(14) > 2 && LimitStep.factor(13) < 2)
    }

    @Test("days have the dates of the calendar")
    func dates() {
        #expect(LocalDay(number: 0).text == "1970-01-01")
        #expect(LocalDay(number: -1).text == "1969-12-31")
        #expect(LocalDay(number: 11016).text == "2000-02-29")
        #expect(LocalDay(number: 20787).text == "2026-11-30")
        #expect(LocalDay(number: 20787).weekday == "Mon")
        let quarter = LocalQuarter(seconds: 20787 * 86400 + 14 * 3600 + 31 * 60)
        #expect(quarter.text == "2026-11-30 14:30")
        #expect((quarter.hour - 14) % 24 == 0 && quarter.day == 20787)
        #expect(LocalQuarter(seconds: -1).day == -1)
    }
}
