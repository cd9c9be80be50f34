// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport
import Glibc
import Testing

@testable import gesturectl

/// `gesturectl calibrate` with the real daemon and a fake panel, whose x axis runs up the display.
@Suite("gesturectl calibrate")
struct CalibrateTests {
    static let device = panelTable([1920, 1080], millimeters: [344, 194])
    static let region = """
        [[region]]
        id = "ok"
        shape = "full"
        gestures = ["press"]

        """
    /// The x axis runs up the display, the y axis across it, and both extend beyond it.
    static let synthetic = SyntheticPanel(toAxes: AffineMatrix(0, -0.75, 0.9, 0.8, 0, 0.1))

    let folder: ScratchFolder
    let panel: FakePanel
    let daemon: DaemonProcess
    let client: SocketClient
    let pixels: (Double, Double)
    /// The time of the panel in microseconds.
    private let clock: Clock

    /// - Parameters:
    ///   - id: the id of the panel on the wire.
    ///   - prepare: adds the panel.
    init(
        _ configuration: String = device + region, id: String = "panel", pixels: (Double, Double) = (1920, 1080),
        prepare: (FakePanel) throws -> Void = { try $0.add() }
    ) throws {
        self.pixels = pixels
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try prepare(panel)
        try FileManager.default.createDirectory(atPath: folder("conf.d"), withIntermediateDirectories: false)
        daemon = try DaemonProcess(
            configuration, in: folder, panel: panel, arguments: ["--conf-dir", folder("conf.d")], isProxied: true)
        client = try daemon.connect(toPanel: id)
        clock = Clock(try panel.now() + 3_600_000_000)
    }

    /// Starts the tool. Its output and its errors are on one pipe.
    func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            [
                "/bin/sh", "-c",
                "XDG_STATE_HOME='\(folder("state"))'; export XDG_STATE_HOME; exec \"$0\" calibrate \"$@\" 2>&1",
                BuildProducts.program("gesturectl"),
            ] + arguments
                + ["--socket", daemon.socketPath, "-c", folder("gestured.toml"), "--conf-dir", folder("conf.d")])
    }

    func run(_ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["calibrate"] + arguments
                + ["--socket", daemon.socketPath, "-c", folder("gestured.toml"), "--conf-dir", folder("conf.d")],
            environment: ["XDG_STATE_HOME": folder("state")])
    }

    /// Lets a finger rest for a moment on a point of the display, from 0 to 1, a second after the last one.
    func touch(
        _ point: Point, milliseconds: Int64 = 300, slide: Int = 0, on synthetic: SyntheticPanel = synthetic
    ) throws {
        clock.time += 1_000_000
        let (x, y) = synthetic.report(point)
        try panel.at(clock.time)
        try panel.land(id: Int(clock.time / 1_000_000 % 60_000), x: Int(x), y: Int(y))
        try panel.at(clock.time + milliseconds * 500)
        if slide != 0 { try panel.move(x: Int(x) + slide, y: Int(y)) }
        try panel.at(clock.time + milliseconds * 1000)
        try panel.lift()
    }

    /// The centre of the region that marks the target, from 0 to 1, which is where the page draws it.
    func target(of tool: ChildProcess, _ text: String) throws -> Point {
        _ = try tool.output.wait(for: text) { $0.contains(text) }
        return try target()
    }

    func target() throws -> Point {
        let reply = try client.request(#"{"cmd":"regions","id":7,"region":"calibration.target"}"#)
        let match = try #require(reply.description.firstMatch(of: /"rect":\[(.*?),(.*?),(.*?),(.*?)\]/))
        let numbers = try [match.1, match.2, match.3, match.4].map { try #require(Double($0)) }
        return Point(x: (numbers[0] + numbers[2] / 2) / pixels.0, y: (numbers[1] + numbers[3] / 2) / pixels.1)
    }

    func touchAll(_ tool: ChildProcess, on synthetic: SyntheticPanel = synthetic) throws {
        for number in 1...5 { try touch(target(of: tool, "touch target \(number) of 5"), on: synthetic) }
    }

    /// Whether the error that the tool prints is less than 0.2 mm. One unit of the panel is 0.08 mm.
    private func isExact(_ text: String) -> Bool {
        text.contains(/\nerror after:  0\.[01] mm on average, 0\.[01] mm at most\n/)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The distance in millimetres of a press from the point that is touched.
    private func missed(_ point: Point) throws -> Double {
        try touch(point)
        let press = try client.wait(for: "gesture press begin ok")
        return Vector(
            dx: (try #require(press.number("x")) / 1920 - point.x) * 344,
            dy: (try #require(press.number("y")) / 1080 - point.y) * 194
        ).length
    }

    /// Runs udev's rules again with another result, and waits until the daemon uses it.
    private func setProperty(_ matrix: Substring) throws {
        try panel.commands("property LIBINPUT_CALIBRATION_MATRIX=\(matrix)\nchange")
        _ = try client.wait(for: "device added") { $0["event"] == "device" && $0["change"] == "added" }
    }

    @Test("the file of the configuration is used after a reload")
    func configuration() throws {
        _ = try client.request(#"{"cmd":"subscribe","id":1,"events":["gesture"]}"#)
        let tool = try start("--write")
        try touchAll(tool)
        #expect(try tool.waitForExit() == .exited(0))
        #expect(try client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        for point in [Point(x: 0.3, y: 0.2), Point(x: 0.02, y: 0.03), Point(x: 0.97, y: 0.95)] {
            #expect(try missed(point) <= 0.5)
        }
    }

    @Test("finds swapped, inverted and scaled axes, writes both files, and undoes it")
    func whole() throws {
        _ = try client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","device"]}"#)
        #expect(try missed(Point(x: 0.3, y: 0.2)) > 50)
        let (file, rules) = (folder("conf.d/90-calibration-panel.toml"), folder("panel.rules"))
        let tool = try start("--write", "--udev", rules)
        try touchAll(tool)
        #expect(try tool.waitForExit() == .exited(0))
        let printed = tool.output.transcript.joined(separator: "\n")
        #expect(
            printed.contains(
                "  touch target 1 of 5 (top left)\n  touch target 2 of 5 (top right)\n  touch target 3 of 5 (right)\n"))
        #expect(
            printed.contains(
                "axes:         x and y are swapped, x is scaled by 1.25, y is inverted, y is scaled by 1.33"),
            "\(printed)")
        #expect(isExact(printed), "\(printed)")
        #expect(printed.contains("\ncalibration = ["))
        #expect(printed.contains("wrote \(file); to apply this, run: gesturectl reload"), "\(printed)")
        #expect(try client.request(#"{"cmd":"regions","id":8}"#).objects("regions").count == 1)

        let rule = try String(contentsOfFile: rules, encoding: .utf8).split(separator: "\n").last ?? ""
        let start =
            #"ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="Fake Panel", ENV{ID_PATH}=="platform-fake-i2c", ENV{LIBINPUT_CALIBRATION_MATRIX}=""#
        #expect(rule.hasPrefix(start))
        let matrix = rule.dropFirst(start.count).dropLast()
        #expect(Self.synthetic.largestError(try #require(AffineMatrix(parsing: String(matrix)))) < 0.5)

        // The rule alone, then both files, of which the daemon uses only one, then the rule alone again.
        try setProperty(matrix)
        #expect(try missed(Point(x: 0.3, y: 0.2)) <= 0.5)
        #expect(try client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        #expect(try missed(Point(x: 0.02, y: 0.97)) <= 0.5)
        let undone = try run("--reset", "--udev", rules)
        #expect(undone.status == 0 && !exists(file) && !exists(rules))
        #expect(undone.errors.contains("removed \(file); to apply this, run: gesturectl reload\n"))
        #expect(try client.request(#"{"cmd":"reload","id":10}"#).flag("ok") == true)
        #expect(try missed(Point(x: 0.3, y: 0.2)) <= 0.5)
        try setProperty("1 0 0 0 1 0")
        #expect(try missed(Point(x: 0.3, y: 0.2)) > 50)
        #expect(
            try run("--reset", "panel", "--udev", rules).errors == "gesturectl: there is no \(file) and no \(rules)\n")
    }

    @Test("short touches, slides and second fingers")
    func refused() throws {
        let tool = try start()
        let first = try target(of: tool, "touch target 1 of 5")
        try touch(first, milliseconds: 150)
        #expect(try target(of: tool, "that was too short; hold the finger on the target for a moment") == first)
        try touch(first, slide: 400)
        #expect(try target(of: tool, "mm; hold it still") == first)
        // A second finger lands and lifts elsewhere meanwhile.
        clock.time += 1_000_000
        let (x, y) = Self.synthetic.report(first)
        try panel.at(clock.time)
        try panel.land(id: 1, x: Int(x), y: Int(y))
        try panel.at(clock.time + 50_000)
        try panel.commands("frame 3 47 1 3 57 2 3 53 2000 3 54 2000\nframe 3 57 -1")
        try panel.at(clock.time + 300_000)
        try panel.command("frame 3 47 0 3 57 -1 1 330 0")
        for number in 2...5 { try touch(target(of: tool, "touch target \(number) of 5")) }
        #expect(try tool.waitForExit() == .exited(0))
        let printed = tool.output.transcript.joined(separator: "\n")
        #expect(isExact(printed), "\(printed)")
        #expect(printed.contains("nothing was written; to keep it, pass --write or --udev"))
    }

    @Test("a wrong touch is named and repeated; a rotation in force is undone")
    func outlier() throws {
        _ = try client.request(#"{"cmd":"set_output","id":2,"device":"panel","rotation":180}"#)
        let turned = SyntheticPanel(toAxes: AffineMatrix(-0.9, 0, 0.95, 0, -0.9, 0.95))
        let tool = try start("panel")
        for number in 1...5 {
            let target = try target(of: tool, "touch target \(number) of 5")
            try touch(number == 2 ? Point(x: target.x - 0.1, y: target.y + 0.1) : target, on: turned)
        }
        try touch(target(of: tool, "target 2 (top right) is off by 39 mm; touch it again"), on: turned)
        #expect(try tool.waitForExit() == .exited(0))
        let printed = tool.output.transcript.joined(separator: "\n")
        // Without the rotation, the axes are not inverted.
        #expect(printed.contains("axes:         x is scaled by 1.11, y is scaled by 1.11"), "\(printed)")
        #expect(isExact(printed), "\(printed)")
    }

    @Test("for a panel that is upside down, the simpler cure is named", arguments: [(0, 180), (180, 0)])
    func upsideDown(now: Int, cure: Int) throws {
        _ = try client.request(#"{"cmd":"set_output","id":2,"device":"panel","rotation":\#(now)}"#)
        let tool = try start("panel")
        let matrix = now == 0 ? AffineMatrix(-1, 0, 1, 0, -1, 1) : .identity
        try touchAll(tool, on: SyntheticPanel(toAxes: matrix))
        #expect(try tool.waitForExit() == .exited(0))
        let printed = tool.output.transcript.joined(separator: "\n")
        let words = "the panel is upside down: for gestured, rotation = \(cure) in its output is the simpler cure"
        #expect(printed.contains(words), "\(printed)")
    }

    @Test("a panel that is not linear is reported, also one that ends before a target")
    func nonLinear() throws {
        let barrel = SyntheticPanel(distortion: SyntheticPanel.barrel)
        let tool = try start()
        try touchAll(tool, on: barrel)
        while let line = try? tool.output.wait(
            for: "a target", where: { $0.contains("again") || $0.hasPrefix("error") })
        {
            guard line.contains("again") else { break }
            try touch(target(), on: barrel)
        }
        #expect(try tool.waitForExit() == .exited(0))
        let printed = tool.output.transcript.joined(separator: "\n")
        #expect(
            printed.contains("the panel is not linear: with the best calibration, touches are still up to "),
            "\(printed)")

        let short = SyntheticPanel(toAxes: AffineMatrix(1.2, 0, -0.24, 0, 1, 0)) { point in
            Point(x: max(point.x, 0.2), y: point.y)
        }
        let again = try start()
        for number in 1...3 { try touch(target(of: again, "touch target \(number) of 5"), on: short) }
        try touch(target(of: again, "touch target 4 of 5"), on: short)
        try touch(target(of: again, "touch target 5 of 5"), on: short)
        #expect(try again.waitForExit() == .exited(65))
        let said = again.output.transcript.joined(separator: "\n")
        #expect(said.contains("target 1 (top left) was left out, because the axes of the panel end there"), "\(said)")
    }

    @Test("an interrupt, a panel that is unplugged and a daemon that ends change nothing", arguments: 0..<3)
    func ends(way: Int) throws {
        let tool = try start("--write")
        try touch(target(of: tool, "touch target 1 of 5"))
        _ = try target(of: tool, "touch target 2 of 5")
        let (ending, words): (ChildProcess.Ending, String)
        switch way {
        case 0:
            tool.signal(SIGINT)
            (ending, words) = (.killed(signal: SIGINT), "interrupted; nothing was changed")
        case 1:
            try panel.remove()
            (ending, words) = (.exited(1), "the panel has gone; plug it in and calibrate it again")
        default:
            _ = try daemon.stop()
            (ending, words) = (.exited(69), "the daemon has closed the connection; see its log")
        }
        #expect(try tool.waitForExit() == ending)
        #expect(tool.output.transcript.last?.contains(words) == true, "\(tool.output.transcript)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("conf.d")).isEmpty)
        guard way == 0 else { return }
        // The daemon may notice the end of the connection after the tool has ended.
        let areGone = try waitUntil {
            let regions = try client.request(#"{"cmd":"regions","id":8}"#).objects("regions")
            return regions.compactMap { $0["region"] } == ["ok"]
        }
        #expect(areGone)
    }

    @Test("problems are reported before the first touch")
    func early() throws {
        try folder.write("# mine\n", to: "conf.d/90-calibration-panel.toml")
        let own = try run("--write")
        #expect(own.status == 73)
        #expect(
            own.errors.hasSuffix(
                "90-calibration-panel.toml was not written by gesturectl; pass another file, or move this one away\n"
            ))
        #expect(try run("--udev", "/no/such/file").errors == "gesturectl: /no/such/file: No such file or directory\n")
        #expect(try run("--reset").status == 73)
        #expect(try run("--write", "panel").status == 64)
        #expect(try run("--targets", "3").errors.contains("--targets is 3; use a number from 4 to 9"))
        #expect(try run("lft").status == 1)
        try panel.add(1)
        _ = try client.wait(for: "device added") { $0["change"] == "added" }
        let two = try run()
        #expect(two.status == 64)
        #expect(
            two.errors
                == "gesturectl: several panels are ready; name one of them (--screens finds out which lies where): "
                + "panel, panel@event1\n")
        let shared = try run("panel@event1", "--write", folder("other.toml"))
        #expect(shared.status == 64)
        #expect(shared.errors.contains("\"panel@event1\" shares its [[device]] with another panel"))
    }

    @Test("a text console shows the targets at the centres of its cells")
    func console() throws {
        let terminal = try PseudoTerminal()
        var size = winsize(ws_row: 25, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal.reader.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0)
        let tool = try start("--tty", terminal.path, "panel")
        for number in 1...5 {
            let target = try target(of: tool, "touch target \(number) of 5")
            let (column, row) = (target.x * 80 - 0.5, target.y * 25 - 0.5)
            // The region is in whole pixels.
            #expect(abs(column - column.rounded()) < 0.05 && abs(row - row.rounded()) < 0.05, "\(target)")
            try touch(Point(x: (column.rounded() + 0.5) / 80, y: (row.rounded() + 0.5) / 25))
        }
        #expect(try tool.waitForExit() == .exited(0))
        let printed = tool.output.transcript.joined(separator: "\n")
        #expect(isExact(printed), "\(printed)")
        let drawn = terminal.readToEnd()
        #expect(drawn.contains("--+--") && drawn.contains("touch target 1 of 5 (top left)"))
    }
}

private final class Clock {
    var time: Int64
    init(_ time: Int64) { self.time = time }
}
