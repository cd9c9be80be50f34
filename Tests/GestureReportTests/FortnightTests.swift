// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing
import TouchScripts

@testable import GestureReport

/// Visitors at an exhibit with twenty buttons and two scenes, on days that are as long as the museum is open.
private struct Fortnight {
    /// The button whose limit is too tight.
    static let tight = "b07"
    static let idle: Int64 = 20

    /// The panel, without regions.
    static let device = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "*" }
        output = { size = [1720, 970], size_mm = [344, 194] }

        """

    static func configuration(tight limit: String = "90ms") -> String {
        var text =
            device + """
                [[region]]
                id = "screen"
                shape = "full"
                gestures = ["tap"]

                """
        for (index, name) in buttons.enumerated() {
            let tap = name == tight ? "{ type = \"tap\", max_time = \"\(limit)\" }" : "\"tap\""
            text += """
                [[region]]
                id = "\(name)"
                z = 1
                shape = { rect = [\(40 + index % 5 * 340), \(40 + index / 5 * 230), 200, 130] }
                gestures = ["press", \(tap)]

                """
        }
        return text
    }

    static let buttons = (0..<20).map { "b" + ($0 < 10 ? "0" : "") + "\($0)" }

    let panel: HeardPanel
    private var random: SeededRandom
    private(set) var visitors = 0
    /// The place of the dead cell in millimetres, and the day on which it dies.
    var death: (day: Int64, cell: (x: Double, y: Double))?
    var crackDay: Int64?
    private var lastSession: Int64?

    init(seed: UInt64, in folder: ScratchFolder, tight limit: String = "90ms") throws {
        panel = try HeardPanel(
            Self.configuration(tight: limit), in: folder, idle: Self.idle, background: ["screen"])
        random = SeededRandom(seed)
    }

    /// Plays a day.
    /// - Parameter visitors: how many come, one after the other, within twelve hours.
    mutating func play(day: Int64, visitors count: Int) throws {
        // The service judges each day from its beginning.
        _ = try findings(on: day)
        let start = day * 86_400_000_000
        let slot = 12 * 3_600_000_000 / Int64(count)
        if let death, day >= death.day {
            panel.isAlive = { point in
                let (x, y) = ((point.x / 5).rounded(.down) * 5, (point.y / 5).rounded(.down) * 5)
                return (x, y) != death.cell
            }
        }
        var ghost = crackDay.map { day >= $0 ? start + 60_000_000 : .max } ?? .max
        for visitor in 0..<count {
            let free = slot - 80_000_000
            let arrival =
                start + 9 * 3_600_000_000 + Int64(visitor) * slot + Int64(random.number(0, Double(max(1, free))))
            try haunt(&ghost, until: arrival)
            panel.wait(until: arrival)
            try visit()
        }
        try haunt(&ghost, until: start + 86_400_000_000)
        panel.wait(until: start + 86_400_000_000)
    }

    /// A contact of the crack each few minutes, by day and by night.
    private mutating func haunt(_ ghost: inout Int64, until end: Int64) throws {
        while ghost < end {
            panel.wait(until: ghost)
            try panel.play("down a 1480,820; +\(40 + random.below(200))ms; up a")
            ghost += Int64(random.number(100e6, 260e6))
        }
    }

    private mutating func visit() throws {
        // The scene changes for every third visitor.
        let scene = random.below(3) == 0 ? 1 : 0
        panel.show(scene: scene == 0 ? "default" : "quiz")
        let choice = scene == 0 ? Array(Self.buttons[..<12]) : Array(Self.buttons[8...])
        let touches = 4 + random.below(7)
        var script: [String] = []
        for _ in 0..<touches {
            // The first button is the most popular one, and somebody taps it again and again.
            let button = random.chance(25) ? choice[0] : random.pick(choice)
            let times = random.chance(3) ? 14 : 1
            for _ in 0..<times { script.append("tap \(button); +\(times > 1 ? 400 : 1500 + random.below(4000))ms") }
        }
        if lastSession.map({ panel.now - $0 >= Self.idle * 1_000_000 }) ?? true { visitors += 1 }
        try panel.play(
            script.joined(separator: "\n"), by: random.chance(30) ? .child : .steady, seed: random.next())
        lastSession = panel.now
    }

    mutating func end() { panel.end() }

    /// The findings on the evening of a day.
    func findings(on day: Int64) throws -> [GlassFinding] {
        let history = try ReportReader(path: panel.path).history(of: LocalDay(number: HeardPanel.firstDay + day))
        let health = GlassHealth(history)
        panel.take(health)
        return health.findings
    }
}

@Suite("a simulated exhibit")
struct FortnightTests {
    /// The days of the run, and the visitors of a day.
    private var size: (days: Int64, visitors: Int, seeds: UInt64) {
        LongRuns["report"] == nil ? (7, 120, 1) : (14, 400, 5)
    }

    @Test(
        "the tight limit is named first with the right value, the dead cell and the crack within a day, and sessions are right"
    )
    func troubles() throws {
        let (days, count, _) = size
        let (death, crack): (Int64, Int64) = LongRuns["report"] == nil ? (4, 5) : (8, 10)
        var run = try Fortnight(seed: 1, in: ScratchFolder())
        run.death = (death, (25, 20))
        run.crackDay = crack
        var visitors = 0
        for day in 0..<days {
            try run.play(day: day, visitors: count)
            let findings = try run.findings(on: day)
            let texts = findings.map(\.text)
            if day < death { #expect(findings.isEmpty, "day \(day): \(texts)") }
            if day >= death, day < death + 7 {
                #expect(
                    findings.contains { $0.trouble == .deadCell(x: 275, y: 225) }, "day \(day): \(texts)")
            }
            if day >= crack {
                // The crack is at 296,164 mm.
                #expect(findings.contains { $0.trouble == .noisyCell(x: 2975, y: 1625) }, "day \(day): \(texts)")
            }
            #expect(findings.count <= (day >= crack ? 2 : 1), "day \(day): \(texts)")
            if day > crack {
                // Once the crack is known, its contacts make no visitors.
                let came = run.visitors - visitors
                let counted = try run.panel.data(days: day + 1).days.last?.sessions ?? 0
                #expect(abs(counted - came) * 100 <= came * 3, "day \(day): \(counted) sessions of \(came)")
            }
            visitors = run.visitors
            if day == crack - 1 {
                let data = try run.panel.data()
                let error = Double(abs(data.sessions - run.visitors)) / Double(run.visitors)
                #expect(error <= 0.03, "\(data.sessions) sessions of \(run.visitors)")
            }
        }
        run.end()
        let data = try run.panel.data()
        let first = try #require(RegionAdvice.worst(3, of: data).first)
        #expect(first.region.name == Fortnight.tight)
        let limit = try #require(first.limit)
        let proposed = try #require(limit.proposed)
        #expect(limit.key.key == "max_time" && limit.key.limit == 9000)
        // With this limit, nine of ten failed tries work.
        var better = try Fortnight(seed: 1, in: ScratchFolder(), tight: "\(proposed / 100)ms")
        try better.play(day: 0, visitors: count)
        better.end()
        let region = try #require(try better.panel.data().regions.first { $0.name == Fortnight.tight })
        let before = Double(first.region.use.failed) / Double(first.region.use.touches)
        let after = Double(region.use.failed) / Double(region.use.touches)
        #expect(after <= before * 0.2, "\(before) of the tries failed, then \(after)")
        #expect(proposed <= 32_000)
    }

    @Test("healthy days have no alarm")
    func healthy() throws {
        let (days, count, seeds) = size
        for seed in 0..<seeds {
            var run = try Fortnight(seed: 100 + seed, in: ScratchFolder())
            for day in 0..<days {
                try run.play(day: day, visitors: count)
                let findings = try run.findings(on: day)
                #expect(findings.isEmpty, "seed \(seed), day \(day): \(findings.map(\.text))")
            }
        }
    }

    @Test("a panel that begins to lose reports is named the same day, with the rates")
    func slow() throws {
        let panel = try HeardPanel(
            Fortnight.device + """
                [[region]]
                id = "map"
                shape = "full"
                gestures = ["drag"]

                """, in: ScratchFolder())
        for day in 0..<Int64(5) {
            panel.isSlow = day == 4
            panel.wait(until: day * 86_400_000_000 + 43_200_000_000)
            for drag in 0..<20 {
                try panel.play(
                    "drag \(["left", "right"][drag % 2]) 100mm from map in 400ms; +5s", by: .trembling,
                    seed: UInt64(day * 20) + UInt64(drag))
            }
            panel.wait(until: (day + 1) * 86_400_000_000)
            let reader = try ReportReader(path: panel.path)
            let health = GlassHealth(try reader.history(of: LocalDay(number: HeardPanel.firstDay + day)))
            #expect(health.findings.map(\.word) == (day == 4 ? ["slow"] : []), "day \(day): \(health.reason)")
            if day == 4 { #expect(health.reason.hasSuffix("63 times a second; before, 125")) }
        }
    }

    @Test("a panel that dies at noon is named the same day, and so are fingers that it loses")
    func silence() throws {
        var run = try Fortnight(seed: 7, in: ScratchFolder())
        for day in 0..<Int64(6) { try run.play(day: day, visitors: 60) }
        run.panel.isAlive = { _ in false }
        try run.play(day: 6, visitors: 60)
        let findings = try run.findings(on: 6)
        #expect(findings.map(\.word) == ["silence"], "\(findings.map(\.text))")
    }
}
