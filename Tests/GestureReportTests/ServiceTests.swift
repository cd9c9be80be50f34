// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import LocalDatabase
import Testing

/// The daemon with a fake panel, and `gestured-report` with clocks that the test sets.
private final class Exhibit {
    private static let regions = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "Fake Panel" }
        output = { size = [1024, 1024], size_mm = [200, 200] }
        [[region]]
        id = "left"
        shape = { rect = ["0%", "0%", "50%", "100%"] }
        gestures = ["tap"]

        """

    let folder: ScratchFolder
    private let panel: FakePanel
    private var daemon: DaemonProcess?
    let machine: FakeMachine
    private let settings: String
    private(set) var program: ChildProcess?
    private var contact = 0

    init(_ more: String = "", regions: String = "") throws {
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try panel.add()
        daemon = try DaemonProcess(Self.regions + regions, in: folder, panel: panel)
        _ = try daemon?.connect(toPanel: "panel")
        machine = try FakeMachine(in: folder)
        settings = try folder.write(
            "version = 1\nstate = \"\(folder.path)\"\ntoday = \"\(folder("today.json"))\"\n" + more, to: "report.toml")
    }

    /// Starts the service, and waits until it is connected.
    func start() throws {
        let manager = try ServiceManager(path: folder("notify-\(contact)-\(UInt32.random(in: 0 ... .max))"))
        var variables = try machine.environment(over: ChildProcess.inherited)
        variables["NOTIFY_SOCKET"] = manager.path
        try? FileManager.default.removeItem(atPath: folder("report-log"))
        let started = try ChildProcess(
            [BuildProducts.program("gestured-report"), "-c", settings, "--socket", folder("gestured.sock")],
            environment: variables, errorFile: folder("report-log"))
        program = started
        try manager.wait(for: "READY=1", from: started)
        waitUntil { log.contains("connected") }
    }

    var log: String { (try? String(contentsOfFile: folder("report-log"), encoding: .utf8)) ?? "" }
    var database: String { folder("report.sqlite") }
    /// The sums of the day that the service has written.
    var today: String { (try? String(contentsOfFile: folder("today.json"), encoding: .utf8)) ?? "" }

    /// Waits until there is a database.
    func waitForStart() throws { waitUntil { FileManager.default.fileExists(atPath: database) } }

    func tap() throws {
        contact += 1
        try panel.land(id: contact, x: 1000, y: 2000)
        // The daemon reads the clock of the frames, so a tap needs time.
        Thread.sleep(forTimeInterval: 0.06)
        try panel.lift()
    }

    /// The number of taps so far.
    var taps: Int { contact }

    /// Taps in one quarter of an hour after the other, until one of them is in the sums of the day.
    func tapUntilStored() throws {
        try tap()
        try waitUntil {
            passQuarter()
            try tap()
            return today.contains("\"sessions\":") && !today.contains("\"sessions\":0,")
        }
    }

    /// Lets a quarter of an hour pass. The service notices it with the next touch.
    func passQuarter() { machine.advance(seconds: 900) }

    /// Runs the program for something that it does and ends.
    func run(_ options: String...) throws -> (status: Int32, output: String) {
        let ended = try ChildProcess.run(
            [BuildProducts.program("gestured-report"), "-c", settings] + options,
            environment: try machine.environment(over: ChildProcess.inherited))
        return (ended.status, ended.output)
    }

    /// A number of the report on the last three years.
    func number(_ key: String) throws -> Int {
        let report = try run("--print", "json", "--days", "1000")
        let object = try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
        return try #require(object?[key] as? Int, "\(report)")
    }

    func touches() throws -> Int { try number("touches") }

    func stop() throws -> ChildProcess.Ending? {
        program?.signal(SIGTERM)
        return try program?.waitForExit()
    }
}

@Suite("gestured-report")
struct ReportServiceTests {
    @Test("a quarter that has ended is in the report, and an orderly stop keeps the open one")
    func quarters() throws {
        let exhibit = try Exhibit()
        try exhibit.start()
        try exhibit.tapUntilStored()
        let stored = try exhibit.touches()
        #expect(stored >= 1 && stored <= exhibit.taps)
        #expect(try exhibit.stop() == .exited(0))
        #expect(try exhibit.touches() == exhibit.taps)
        #expect(try exhibit.run("--print", "text").output.contains("left"))
    }

    @Test(
        "a clock that jumps by a year, forward and back, loses nothing, and the log says what it did",
        arguments: [1, -1])
    func clock(_ sign: Int64) throws {
        let exhibit = try Exhibit("keep_days = 30\n")
        try exhibit.start()
        try exhibit.tap()
        try exhibit.waitForStart()
        exhibit.machine.setClock(by: sign * 365 * 86400)
        try exhibit.tap()
        exhibit.passQuarter()
        try exhibit.tap()
        exhibit.machine.setClock(by: -sign * 365 * 86400)
        try exhibit.tap()
        exhibit.passQuarter()
        try exhibit.tap()
        #expect(try exhibit.stop() == .exited(0))
        for word in ["forward", "back"] {
            #expect(exhibit.log.contains("the clock was set \(word) by"), "\(exhibit.log)")
        }
        // Days in the future are not in a report.
        if sign < 0 { #expect(try exhibit.touches() == 5) }
        exhibit.machine.setClock(by: 366 * 86400)
        #expect(try exhibit.touches() == 5)
    }

    @Test("killed at any moment, it loses only the open quarter, and starts again")
    func kills() throws {
        let exhibit = try Exhibit()
        var stored = 0
        var random = SystemRandomNumberGenerator()
        for run in 0..<(LongRuns.count("report-kills") ?? 8) {
            try exhibit.start()
            #expect(!exhibit.log.contains("thrown away"), "\(exhibit.log)")
            let before = try exhibit.touches()
            #expect(before >= stored, "run \(run)")
            try exhibit.tap()
            exhibit.passQuarter()
            try exhibit.tap()
            usleep(UInt32.random(in: 0...30_000, using: &random))
            exhibit.program?.signal(SIGKILL)
            _ = try exhibit.program?.waitForExit()
            let after = try exhibit.touches()
            #expect(after == before || after == before + 1, "run \(run): \(before), then \(after)")
            // The sums of the day show only what was stored.
            if exhibit.today.contains("\"touches\":\(before + 1),") { #expect(after == before + 1) }
            stored = after
        }
    }

    @Test("the time for which the display was off is counted, and a file that cannot be read is told")
    func display() throws {
        let folder = try ScratchFolder()
        let display = try folder.write("on", to: "display")
        let exhibit = try Exhibit("display = \"\(display)\"\n")
        try exhibit.start()
        try exhibit.tapUntilStored()
        func dark() throws -> Int64 {
            let database = try SQLiteDatabase(path: exhibit.database)
            database.wait(milliseconds: 2000)
            return try database.run("SELECT sum(dark) FROM glass").first?.first?.number ?? 0
        }
        #expect(try dark() == 0)
        // The look at the end of a quarter is about the next one.
        _ = try folder.write("off", to: "display")
        for _ in 0..<3 {
            exhibit.passQuarter()
            try exhibit.tap()
        }
        #expect(try exhibit.stop() == .exited(0))
        #expect(try dark() >= 900)
        #expect(try exhibit.run("--print", "json").output.contains("\"dark_seconds\":"))
        #expect(!exhibit.log.contains("display of"))
        try FileManager.default.removeItem(atPath: display)
        try exhibit.start()
        waitUntil { exhibit.log.contains("counts as on") }
        #expect(exhibit.log.contains("display of report.toml"), "\(exhibit.log)")
    }

    @Test("no hour has more seconds than it has, also after the machine has slept")
    func sleep() throws {
        let exhibit = try Exhibit()
        try exhibit.start()
        try exhibit.tapUntilStored()
        exhibit.machine.advance(seconds: 8 * 3600)
        for _ in 0..<3 {
            try exhibit.tap()
            exhibit.passQuarter()
        }
        try exhibit.tap()
        #expect(try exhibit.stop() == .exited(0))
        let rows = try SQLiteDatabase(path: exhibit.database).run("SELECT listened FROM panel")
        let hours = rows.compactMap { $0.first?.number }
        #expect(hours.count >= 2 && hours.allSatisfy { (0...3600).contains($0) }, "\(hours)")
    }

    @Test("what is forgotten is gone, also from a running service")
    func forgetting() throws {
        let exhibit = try Exhibit()
        try exhibit.start()
        try exhibit.tapUntilStored()
        #expect(try exhibit.touches() > 0)
        for _ in 0..<3 { try exhibit.tap() }
        #expect(try exhibit.run("--forget").status == 0)
        #expect(try exhibit.touches() == 0)
        // The service looks each ten seconds.
        waitUntil { exhibit.log.contains("forgotten") }
        exhibit.passQuarter()
        try exhibit.tap()
        let database = try SQLiteDatabase(path: exhibit.database)
        database.wait(milliseconds: 2000)
        func contacts() throws -> Int64? { try database.run("SELECT sum(contacts) FROM panel").first?.first?.number }
        try waitUntil { try contacts() != nil }
        #expect(try exhibit.stop() == .exited(0))
        // The open quarter was forgotten, too; only the last touch came afterwards.
        #expect(try exhibit.touches() <= 1)
        // So were the contacts that the daemon has counted since the last quarter began.
        #expect(try contacts() ?? 0 <= 1)
    }

    @Test("with the right private and private regions it counts nothing, and says so")
    func rights() throws {
        let secret = """
            [[region]]
            id = "pin"
            private = true
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            gestures = ["tap"]

            """
        // The tests run as root, who has all rights.
        guard geteuid() == 0 else { return }
        let exhibit = try Exhibit(regions: secret)
        try exhibit.start()
        waitUntil { exhibit.log.contains("nothing is counted") }
        #expect(exhibit.log.contains("nothing is counted"))
        try exhibit.tap()
        exhibit.passQuarter()
        try exhibit.tap()
        #expect(try exhibit.stop() == .exited(0))
        #expect(try exhibit.touches() == 0)
    }

    @Test("without a database the report says what to do")
    func missing() throws {
        let exhibit = try Exhibit()
        let outcome = try exhibit.run("--print", "text")
        #expect(outcome.status == 66)
        for options in [["--print", "pdf"], ["--days", "0"], ["--days", "x"]] {
            let refused = try ChildProcess.run(
                [BuildProducts.program("gestured-report")] + options, environment: ChildProcess.inherited)
            #expect(refused.status == 64)
        }
    }
}
