// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureReport

/// A busy exhibit: 400 visitors a day, twenty regions, two scenes, all kinds of failures.
@Suite("the size of a report")
struct YearTests {
    private static let start: Int64 = 20_454

    /// A tally as large as those of the simulated exhibit.
    private static func tally(_ quarter: Int64, _ random: inout SeededRandom) -> QuarterTally {
        var tally = QuarterTally(LocalQuarter(number: quarter))
        for _ in 0..<8 {
            let session = QuarterTally.Session(
                quarter: tally.quarter, seconds: 10 + random.below(120), touches: 3 + random.below(15))
            tally.sessions[session, default: 0] += 1
        }
        let grid = CellGrid(columns: 69, rows: 39, cell: 50)
        for index in 0..<20 {
            let region = "exhibit.region\(index)"
            // A press does not fail, and not every region is a list.
            let kinds = ["press": [], "tap": ["moved", "too_long"], "swipe": ["too_short", "too_slow"]]
            for (gesture, codes) in kinds where gesture != "swipe" || index < 6 {
                tally.gestures[.init(region: region, gesture: gesture)] = 1 + random.below(9)
                for code in codes {
                    tally.failures[.init(region: region, gesture: gesture, code: code)] = 1 + random.below(3)
                    let key = QuarterTally.LimitKey(
                        region: region, gesture: gesture, code: code, key: "max_time", unit: "ms", limit: 50_000,
                        isMost: true)
                    var misses = QuarterTally.Misses()
                    misses.meant.add(at: random.below(30))
                    misses.other.add(at: random.below(30))
                    tally.limits[key] = misses
                }
            }
            tally.uses[region] = .init(touches: 9, failed: random.below(3), twice: random.below(2), nothing: 0)
            tally.panels["panel"] = .init(contacts: 180, heard: 170, flickers: 1, storms: 0)
        }
        for scene in ["default", "quiz"] {
            tally.scenes[scene] = 300_000
            for kind in [QuarterTally.MapKind.all, .nothing] {
                var counts = SparseCounts()
                for _ in 0..<40 { counts.add(at: random.below(20) * 130 + random.below(40)) }
                tally.maps[.init(device: "panel", scene: scene, kind: kind, grid: grid)] = counts
            }
        }
        tally.listened = 900
        return tally
    }

    @Test("a year needs at most 20 MB, and is read within a second")
    func year() throws {
        let isLong = LongRuns["report"] != nil
        let days: Int64 = isLong ? 365 : 6
        let folder = try ScratchFolder()
        let path = folder("report.sqlite")
        let store = ReportStore(path: path) { Issue.record("\($0)") }
        var random = SeededRandom(1)
        for day in 0..<days {
            for quarter in 36..<84 {
                store.add(Self.tally((Self.start + day) * 96 + Int64(quarter), &random), boxes: [])
            }
        }
        store.close()
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size <= (isLong ? 20_000_000 : 20_000_000 * 6 / 365 + 300_000), "\(size) bytes")
        let begin = MonotonicSeconds.now
        let reader = try ReportReader(path: path)
        let data = try reader.read(from: LocalDay(number: Self.start), through: LocalDay(number: Self.start + days))
        let output = ReportOutput(data, GlassHealth(try reader.history(of: LocalDay(number: Self.start + days - 1))))
        #expect(output.bytes(.html).count > 10_000)
        let time = MonotonicSeconds.now - begin
        #expect(data.days.count == Int(days))
        if isLong { print("year: \(size) bytes, \(time) s") }
        #expect(time <= 5, "\(time) s")
    }
}
