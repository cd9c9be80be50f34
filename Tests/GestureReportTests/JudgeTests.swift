// SPDX-License-Identifier: MIT
import Testing

@testable import GestureReport

@Suite("the health of the glass from day to day")
struct JudgeTests {
    private static let grid = CellGrid(columns: 10, rows: 10, cell: 50)

    /// A day from 9 to 18 o'clock, of which the service has heard `hours`.
    private func day(contacts: Int, hours: Int = 24) -> HealthHistory.Day {
        var day = HealthHistory.Day()
        for hour in 0..<hours {
            day.hours[hour] = .init(contacts: (9..<18).contains(hour) ? contacts : 0, heard: 1)
        }
        if contacts > 0 { day.maps[Self.grid] = SparseCounts(bytes: [1, 1]) }
        return day
    }

    private func history(_ days: [HealthHistory.Day]) -> HealthHistory {
        var history = HealthHistory(last: LocalDay(number: Int64(days.count) - 1))
        for (number, day) in days.enumerated() { history.panels["panel", default: [:]][Int64(number)] = day }
        return history
    }

    @Test("a crack stays known after midnight, until the day has been heard for as long as the one before")
    func ghosts() {
        var days = (0..<5).map { _ in day(contacts: 20) }
        days[4].lonely[Self.grid, default: .init()].add(30, at: 17)
        #expect(GlassHealth(history(days)).ghosts.count == 1)
        var empty = history(days)
        empty.panels["panel"]?[5] = nil
        let midnight = HealthHistory(last: LocalDay(number: 5), panels: empty.panels)
        #expect(GlassHealth(midnight).ghosts == GlassHealth(history(days)).ghosts)
        #expect(GlassHealth(midnight).score == 60)
        for hours in [1, 12, 23] {
            #expect(GlassHealth(history(days + [day(contacts: 20, hours: hours)])).ghosts.count == 1)
        }
        var same = day(contacts: 20, hours: 23)
        same.lonely[Self.grid, default: .init()].add(20, at: 18)
        #expect(GlassHealth(history(days + [same])).ghosts.count == 1)
        #expect(GlassHealth(history(days + [day(contacts: 20)])).findings.isEmpty)
    }

    @Test("a dead panel stays silent for weeks, also at night, until a contact arrives")
    func silence() {
        let alive = (0..<10).map { _ in day(contacts: 20) }
        for count in 1...14 {
            let dead = (0..<count).map { _ in day(contacts: 0) }
            #expect(GlassHealth(history(alive + dead)).findings.map(\.word) == ["silence"], "\(count) days")
            let night = GlassHealth(history(alive + dead + [day(contacts: 0, hours: 2)]))
            #expect(night.findings.map(\.word) == ["silence"], "\(count) days and a night")
            #expect(GlassHealth(history(alive + dead + [day(contacts: 20, hours: 10)])).findings.isEmpty)
        }
    }

    @Test("an hour in which the display was switched off is not silent")
    func dark() {
        func words(_ dark: (_ hour: Int) -> Int) -> [String] {
            var days = (0..<8).map { day(contacts: $0 == 7 ? 0 : 20) }
            for hour in 0..<24 { days[7].dark[hour] = dark(hour) }
            return GlassHealth(history(days)).findings.map(\.word)
        }
        #expect(words { _ in 0 } == ["silence"])
        #expect(words { _ in 3600 }.isEmpty)
        #expect(words { _ in 300 } == ["silence"])
        // It is switched on at noon, and then nothing arrives until the evening.
        #expect(words { $0 < 12 ? 3600 : 0 } == ["silence"])
    }

    @Test("a panel that reports fingers less often, or whose resting fingers tremble, is told with the numbers")
    func reports() throws {
        func measured(rate: Int, jitter: Int) -> HealthHistory.Day {
            var day = day(contacts: 20)
            day.hours[10]?.reports = 500
            day.hours[10]?.reportTime = 500_000_000 / rate
            day.hours[10]?.restTime = 60_000_000
            day.hours[10]?.wander = jitter * 60_000
            return day
        }
        let usual = [measured(rate: 118, jitter: 1), measured(rate: 122, jitter: 2), measured(rate: 120, jitter: 1)]
        #expect(GlassHealth(history(usual + [measured(rate: 95, jitter: 2)])).findings.isEmpty)
        let slow = GlassHealth(history(usual + [measured(rate: 60, jitter: 1)]))
        #expect(slow.score == 80)
        #expect(slow.reason == "panel: fingers are reported less often: 60 times a second; before, 120")
        let jitter = GlassHealth(history(usual + [measured(rate: 120, jitter: 4)]))
        #expect(
            jitter.reason == "panel: resting fingers tremble: they wander 4.0 mm a second; before, 1.0 mm")
        // A day without drags says nothing, and what was found before it stays until as many hours are known.
        #expect(GlassHealth(history(usual + [day(contacts: 20)])).findings.isEmpty)
        #expect(GlassHealth(history(Array(usual[..<2]) + [measured(rate: 60, jitter: 9)])).findings.isEmpty)
    }

    @Test("a weekly day of rest is a silence only the first time")
    func rest() {
        let week = (0..<6).map { _ in day(contacts: 20) } + [day(contacts: 0)]
        #expect(GlassHealth(history(week)).findings.map(\.word) == ["silence"])
        #expect(GlassHealth(history(week + week)).findings.isEmpty)
    }
}
