// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import LocalDatabase
import Testing

@testable import GestureReport

extension QuarterTally {
    /// The counts in another quarter.
    fileprivate func moved(to quarter: Int64) -> QuarterTally {
        var tally = QuarterTally(LocalQuarter(number: quarter))
        (tally.uses, tally.panels, tally.maps) = (uses, panels, maps)
        return tally
    }
}

@Suite("the database of the report")
struct StoreTests {
    let folder: ScratchFolder
    let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder("report.sqlite")
    }

    private final class Log { var lines: [String] = [] }

    private static let day: Int64 = 20_000

    private func tally(_ quarter: Int64, touches: Int = 1) -> QuarterTally {
        var tally = QuarterTally(LocalQuarter(number: quarter))
        tally.sessions[.init(quarter: tally.quarter, seconds: 10, touches: 3)] = 2
        tally.uses["ok"] = .init(touches: touches)
        tally.panels["panel"] = .init(contacts: touches, heard: touches)
        let grid = CellGrid(columns: 10, rows: 10, cell: 50)
        var counts = SparseCounts()
        counts.add(touches, at: 17)
        tally.maps[.init(device: "panel", scene: "default", kind: .all, grid: grid)] = counts
        return tally
    }

    private func read(_ days: ClosedRange<Int64> = 0...40_000) throws -> ReportData {
        try ReportReader(path: path).read(
            from: LocalDay(number: days.lowerBound), through: LocalDay(number: days.upperBound))
    }

    @Test("quarters add up, also those that come twice")
    func sums() throws {
        let store = ReportStore(path: path) { Issue.record("\($0)") }
        for quarter in [Self.day * 96, Self.day * 96 + 1, Self.day * 96] { store.add(tally(quarter), boxes: []) }
        let data = try read()
        #expect(data.sessions == 6 && data.touches == 18)
        #expect(data.regions.first?.use.touches == 3)
        #expect(data.maps.first?.counts.sorted.map { $0.count } == [3])
        #expect(data.panels.map { $0.use.contacts } == [3])
    }

    @Test("what is too old is deleted once the clock can be believed")
    func pruning() throws {
        let store = ReportStore(path: path) { Issue.record("\($0)") }
        for day in Self.day - 9...Self.day { store.add(tally(day * 96), boxes: []) }
        // A clock that is a year ahead deletes nothing.
        store.prune(keeping: 5, today: LocalDay(number: Self.day + 365))
        #expect(try read().days.count == 10)
        store.add(tally((Self.day + 365) * 96), boxes: [])
        store.prune(keeping: 5, today: LocalDay(number: Self.day + 365))
        #expect(try read().days.count == 11)
        store.prune(keeping: 5, today: LocalDay(number: Self.day))
        #expect(try read().days.map { $0.day.number } == Array(Self.day - 4...Self.day) + [Self.day + 365])
    }

    @Test(
        "names and places that nothing refers to are deleted with what is too old, and so is a file that was put aside")
    func unused() throws {
        let store = ReportStore(path: path) { Issue.record("\($0)") }
        let box = PanelFacts.Box(device: "panel", region: "old", left: 0, top: 0, right: 100, bottom: 100)
        var old = tally((Self.day - 9) * 96)
        old.uses["old"] = .init(touches: 1)
        old.gestures[.init(region: "old", gesture: "old tap")] = 1
        store.add(old, boxes: [box])
        for day in Self.day - 1...Self.day {
            var new = tally(day * 96)
            new.gestures[.init(region: "ok", gesture: "tap")] = 1
            store.add(new, boxes: [])
        }
        try Data().write(to: URL(fileURLWithPath: path + ".broken"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(Self.day - 9) * 86400)],
            ofItemAtPath: path + ".broken")
        #expect(store.prune(keeping: 5, today: LocalDay(number: Self.day)))
        let names = try SQLiteDatabase(path: path).run("SELECT text FROM name").compactMap { $0.first?.string }
        #expect(Set(names) == ["default", "ok", "panel", "tap"])
        #expect(try read().boxes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path + ".broken"))
        var next = tally(Self.day * 96 + 1)
        next.gestures[.init(region: "old", gesture: "new tap")] = 1
        store.add(next, boxes: [])
        let regions = try read().regions
        #expect(regions.map { $0.name } == ["ok", "old"])
        #expect(regions.map { $0.gestures } == [[.init(name: "tap", count: 2)], [.init(name: "new tap", count: 1)]])
    }

    @Test("what waits to be written while everything is forgotten does not come back, and no name is mixed up")
    func forgettingClosed() throws {
        let store = ReportStore(path: path) { _ in }
        store.add(tally(Self.day * 96), boxes: [])
        let other = try SQLiteDatabase(path: path)
        try other.run("BEGIN EXCLUSIVE")
        store.add(tally(Self.day * 96 + 1), boxes: [])
        #expect(!store.prune(keeping: 5, today: LocalDay(number: Self.day)))
        try other.run("ROLLBACK")
        try ReportFile.forget(path)
        var late = tally(Self.day * 96 + 2)
        late.uses = ["late": .init(touches: 1)]
        #expect(store.wasForgotten() && !store.wasForgotten())
        store.add(late, boxes: [])
        let data = try read()
        #expect(data.sessions == 2)
        #expect(data.regions.map { $0.name } == ["late"])
    }

    @Test("forgetting deletes a file that was put aside, also if there is no other one")
    func forgettingBroken() throws {
        try Data().write(to: URL(fileURLWithPath: path + ".broken"))
        #expect(throws: SQLiteError.self) { try ReportFile.forget(path) }
        #expect(!FileManager.default.fileExists(atPath: path + ".broken"))
    }

    @Test(
        "a damaged row is left out",
        arguments: [
            "columns = 0", "columns = \(Int64.max)", "rows = 0", "cell = 0", "cell = \(Int64.max)", "columns = 'x'",
        ])
    func rows(_ damage: String) throws {
        let store = ReportStore(path: path) { Issue.record("\($0)") }
        var tally = tally(Self.day * 96)
        for kind in QuarterTally.MapKind.allCases {
            var counts = SparseCounts()
            counts.add(9, at: 17)
            let grid = CellGrid(columns: 10, rows: 10, cell: 50)
            tally.maps[.init(device: "panel", scene: "default", kind: kind, grid: grid)] = counts
        }
        let box = PanelFacts.Box(device: "panel", region: "ok", left: 0, top: 0, right: 100, bottom: 100)
        for day in Int64(0)..<5 { store.add(tally.moved(to: (Self.day + day) * 96), boxes: [box]) }
        let database = try SQLiteDatabase(path: path)
        try database.run("UPDATE map SET \(damage)")
        try database.run("UPDATE box SET x0 = ?, x1 = ?", [.integer(.min), .integer(.max)])
        let reader = try ReportReader(path: path)
        let history = try reader.history(of: LocalDay(number: Self.day + 4))
        let data = try read()
        #expect(data.maps.isEmpty && data.boxes.map { $0.right - $0.left } == [2_000_000])
        for form in ReportOptions.Form.allCases {
            #expect(!ReportOutput(data, GlassHealth(history)).bytes(form).isEmpty)
        }
    }

    @Test("nothing of what was forgotten is left in the file, and the writer notices it")
    func forgetting() throws {
        let store = ReportStore(path: path) { Issue.record("\($0)") }
        var secret = tally(Self.day * 96)
        secret.uses["region-of-secrets"] = .init(touches: 1)
        store.add(secret, boxes: [])
        #expect(!store.wasForgotten())
        try ReportFile.forget(path)
        #expect(store.wasForgotten() && !store.wasForgotten())
        #expect(try read().regions.isEmpty && read().sessions == 0 && read().maps.isEmpty && read().panels.isEmpty)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data("secrets".utf8)) == nil)
        store.add(tally(Self.day * 96), boxes: [])
        #expect(try read().sessions == 2)
    }

    @Test(
        "a damaged file is put aside with a message, and counting goes on",
        arguments: ["nonsense", "header", "middle", "tables"])
    func damage(_ kind: String) throws {
        var store: ReportStore? = ReportStore(path: path) { Issue.record("\($0)") }
        for quarter in Self.day * 96..<Self.day * 96 + 300 { store?.add(tally(quarter), boxes: []) }
        store = nil
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        switch kind {
        case "nonsense": bytes = Data("this is no database".utf8) + Data(count: 5000)
        case "header": bytes.replaceSubrange(0..<50, with: Data(repeating: 7, count: 50))
        case "middle": bytes.replaceSubrange(4096..<bytes.count, with: Data(repeating: 0xAB, count: bytes.count - 4096))
        default:
            let database = try SQLiteDatabase(path: path)
            try database.run("CREATE TRIGGER evil AFTER INSERT ON use BEGIN DELETE FROM session; END")
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let log = Log()
        let second = ReportStore(path: path) { log.lines.append($0) }
        #expect(log.lines.count == 1 && log.lines[0].contains("thrown away"), "\(log.lines)")
        #expect(FileManager.default.fileExists(atPath: path + ".broken"))
        second.add(tally(Self.day * 96), boxes: [])
        #expect(try read().sessions == 2)
        #expect(log.lines.count == 1)
    }

    @Test("while the disk cannot be written, quarters wait, and those that are lost are named")
    func fullDisk() throws {
        let log = Log()
        let folder = folder("state")
        let store = ReportStore(path: folder + "/report.sqlite") { log.lines.append($0) }
        #expect(log.lines.count == 1)
        for quarter in 0..<Int64(ReportStore.mostWaiting + 2) { store.add(tally(Self.day * 96 + quarter), boxes: []) }
        #expect(log.lines.count == 3, "\(log.lines)")
        #expect(
            log.lines.last?.contains("threw away what was counted in the quarter of an hour from 2024-10-04 00:15")
                == true)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        store.add(tally(Self.day * 96 + 50), boxes: [])
        let data = try ReportReader(path: folder + "/report.sqlite").read(
            from: LocalDay(number: 0), through: LocalDay(number: 40_000))
        #expect(data.sessions == 2 * (ReportStore.mostWaiting + 1))
        #expect(log.lines.last?.hasSuffix("can be written again") == true)
    }

    @Test("a file of an earlier version, which lacks a table, is read and gets it when it is written")
    func earlier() throws {
        var store: ReportStore? = ReportStore(path: path) { Issue.record("\($0)") }
        var known = tally(Self.day * 96)
        known.panels["panel"]?.reports = 300
        known.panels["panel"]?.reportTime = 3_000_000
        store?.add(known, boxes: [])
        store = nil
        #expect(try read().glass.map { $0.use.reportRate } == [100])
        try SQLiteDatabase(path: path).run("DROP TABLE glass")
        #expect(try read().glass.map { $0.use } == [.init(contacts: 1, heard: 1)])
        known.dark = 60
        let later = ReportStore(path: path) { Issue.record("\($0)") }
        later.add(known, boxes: [])
        let glass = try read().glass
        #expect(glass.map { $0.use.reportRate } == [100] && glass.map { $0.dark } == [60])
        #expect(glass.map { $0.use.contacts } == [2])
    }

    @Test("the bytes of the file do not depend on the order in which things were counted")
    func order() throws {
        let names = (0..<40).map { "region\($0)" }
        var files: [Data] = []
        for (index, order) in [names, names.reversed()].enumerated() {
            let path = folder("order\(index)")
            let store = ReportStore(path: path) { Issue.record("\($0)") }
            var tally = tally(Self.day * 96)
            for name in order {
                tally.uses[name] = .init(touches: 1)
                tally.gestures[.init(region: name, gesture: "tap")] = 1
                tally.failures[.init(region: name, gesture: "tap", code: "moved")] = 1
            }
            store.add(tally, boxes: [])
            store.close()
            files.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        #expect(files[0] == files[1])
    }
}
