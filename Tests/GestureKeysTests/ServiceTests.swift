// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// The daemon with a fake panel, and `gestured-keys` with a fake uinput.
private final class Typist {
    /// The panel has 4096 × 4096 units and is shown as 1024 × 1024 px.
    static let regions = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "Fake Panel" }
        output = { size = [1024, 1024], size_mm = [200, 200] }
        [[region]]
        id = "left"
        shape = { rect = ["0%", "0%", "50%", "100%"] }
        gestures = ["press", "tap", { type = "long_press", name = "menu", delay = "10ms" }]
        [[region]]
        id = "right"
        shape = { rect = ["50%", "0%", "50%", "100%"] }
        gestures = [{ type = "drag", name = "scroll" }]
        [[region]]
        id = "staff"
        private = true
        z = 1
        shape = { rect = ["0%", "90%", "50%", "10%"] }
        gestures = ["tap"]

        """

    private let folder: ScratchFolder
    let panel: FakePanel
    private(set) var daemon: DaemonProcess?
    private let machine: FakeMachine
    let program: ChildProcess
    private let file: String
    private var contact = 0

    /// - Parameters:
    ///   - more: more lines for the daemon's configuration.
    ///   - speed: the factor by which the clock of `gestured-keys` runs faster.
    init(_ keys: String, more: String = "", speed: Int = 1) throws {
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try panel.add()
        daemon = try DaemonProcess(Self.regions + more, in: folder, panel: panel)
        _ = try daemon?.connect(toPanel: "panel")
        file = folder("uinput")
        machine = try FakeMachine(in: folder, speed: speed, uinput: .file(file))
        let manager = try ServiceManager(path: folder("keys-notify"))
        var variables = try machine.environment(over: ChildProcess.inherited)
        variables["NOTIFY_SOCKET"] = manager.path
        let settings = try folder.write("version = 1\n" + keys, to: "keys.toml")
        program = try ChildProcess(
            [BuildProducts.program("gestured-keys"), "-c", settings, "--socket", folder("gestured.sock")],
            environment: variables, errorFile: folder("keys-log"))
        try manager.wait(for: "READY=1", from: program)
        waitUntil { log.contains("connected") && !devices.isEmpty }
    }

    func write(keys: String) throws { try folder.write("version = 1\n" + keys, to: "keys.toml") }

    var log: String { (try? String(contentsOfFile: folder("keys-log"), encoding: .utf8)) ?? "" }

    /// The devices that were made and removed.
    var devices: [String] {
        let text = (try? String(contentsOfFile: file + ".log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The events that were written, such as `1/57=1`, without the ends of frames.
    var events: [String] {
        guard let bytes = FileManager.default.contents(atPath: file) else { return [] }
        return stride(from: 0, to: bytes.count - 23, by: 24).compactMap { start in
            func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
                bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + offset, as: Number.self) }
            }
            let (type, code, value): (UInt16, UInt16, Int32) = (number(16), number(18), number(20))
            return type == 0 ? nil : "\(type)/\(code)=\(value)"
        }
    }

    func wait(for expected: [String], _ location: SourceLocation = #_sourceLocation) {
        waitUntil { events == expected }
        #expect(events == expected, sourceLocation: location)
    }

    /// Waits until the program is connected and has a device with this name.
    func wait(forDevice name: String) { waitUntil { devices.contains { $0.hasSuffix(name) } } }

    /// Touches a point with a new contact.
    func land(x: Int, y: Int) throws {
        contact += 1
        try panel.land(id: contact, x: x, y: y)
    }

    func stopDaemon() throws {
        _ = try daemon?.stop()
        daemon = nil
    }
}

@Suite("gestured-keys")
struct ServiceTests {
    private static let hold = "[[binding]]\ngesture = \"press\"\nhold = \"space\"\n"
    private static let click = "[[binding]]\ngesture = \"menu\"\nclick = \"right\"\n"

    @Test("A touch presses a key as long as it lasts, and a long press clicks at the finger")
    func touch() throws {
        let typist = try Typist(Self.hold + Self.click)
        typist.wait(forDevice: "gestured pointer panel")
        #expect(
            typist.devices == [
                "made gestured/event0/keys gestured keys panel", "made gestured/event0/pointer gestured pointer panel",
            ])
        try typist.land(x: 400, y: 800)
        let begun = ["1/57=1", "3/0=1000", "3/1=2000", "1/273=1", "1/273=0"]
        typist.wait(for: begun)
        try typist.panel.lift()
        typist.wait(for: begun + ["1/57=0"])
        typist.program.signal(SIGTERM)
        #expect(try typist.program.waitForExit() == .exited(0))
        waitUntil { typist.devices.count == 4 }
        #expect(typist.devices.suffix(2).allSatisfy { $0.hasPrefix("removed") })
    }

    @Test("A click at the same point moves the pointer there again")
    func sameClick() throws {
        let typist = try Typist(Self.click)
        typist.wait(forDevice: "gestured pointer panel")
        try typist.land(x: 400, y: 800)
        let click = ["3/0=1000", "3/1=2000", "1/273=1", "1/273=0"]
        typist.wait(for: click)
        try typist.panel.lift()
        try typist.land(x: 400, y: 800)
        typist.wait(for: click + ["3/0=999", "3/1=2000"] + click)
    }

    @Test("A drag turns the wheel at its start")
    func wheel() throws {
        let typist = try Typist("[[binding]]\ngesture = \"scroll\"\nwheel = { y = true, step = 10 }")
        typist.wait(forDevice: "gestured pointer panel")
        try typist.land(x: 3000, y: 1000)
        for y in stride(from: 1000, through: 2000, by: 100) { try typist.panel.move(x: 3000, y: y) }
        try typist.panel.lift()
        // The finger moves by 250 px, of which the beginning of the drag takes some.
        waitUntil { typist.events.compactMap { $0.hasPrefix("2/8=") ? Int($0.dropFirst(4)) : nil }.reduce(0, +) >= 22 }
        #expect(typist.events.prefix(2) == ["3/0=7500", "3/1=2500"])
        let units = typist.events.compactMap { $0.hasPrefix("2/11=") ? Int($0.dropFirst(5)) : nil }.reduce(0, +)
        #expect((22 * 120...25 * 120).contains(units))
    }

    @Test("A key is up after the daemon has gone, and works again when it is back")
    func daemonEnds() throws {
        let typist = try Typist(Self.hold)
        try typist.land(x: 400, y: 800)
        typist.wait(for: ["1/57=1"])
        try typist.stopDaemon()
        typist.wait(for: ["1/57=1", "1/57=0"])
    }

    @Test("A key is up after the program has ended", arguments: [SIGTERM, SIGINT, SIGHUP])
    func programEnds(signal: Int32) throws {
        let typist = try Typist(Self.hold)
        try typist.land(x: 400, y: 800)
        typist.wait(for: ["1/57=1"])
        typist.program.signal(signal)
        typist.wait(for: ["1/57=1", "1/57=0"])
        guard signal != SIGHUP else { return }
        #expect(try typist.program.waitForExit() == .exited(0))
    }

    @Test("A reload uses the new bindings, and a file with errors changes nothing")
    func reload() throws {
        let typist = try Typist(Self.hold)
        try typist.write(keys: Self.hold.replacing("space", with: "spice"))
        typist.program.signal(SIGHUP)
        waitUntil { typist.log.contains("there is no key \"spice\"") }
        try typist.land(x: 400, y: 800)
        typist.wait(for: ["1/57=1"])
        try typist.panel.lift()
        typist.wait(for: ["1/57=1", "1/57=0"])
        try typist.write(keys: Self.hold.replacing("space", with: "enter"))
        typist.program.signal(SIGHUP)
        waitUntil { typist.log.contains("the file was reloaded") && typist.devices.count == 3 }
        let made = "made gestured/event0/keys gestured keys panel"
        #expect(typist.devices == [made, "removed gestured/event0/keys", made])
    }

    @Test("Bindings that no gesture can trigger are in the log")
    func warnings() throws {
        let typist = try Typist("[[binding]]\ngesture = \"tab\"\nregion = \"left\"\nkeys = \"a\"\n")
        let warning =
            "2:1: no gesture triggers this binding: no gesture of its regions has the name or the kind \"tab\""
        waitUntil { typist.log.contains(warning) }
        #expect(typist.log.contains(warning + "; did you mean \"tap\"?"))
    }

    @Test("Refused gestures are reported even if no other event follows")
    func refused() throws {
        // Each tap is recognized in two regions at the same time. Twelve keys may be pressed at once.
        let keys = "abcdefghijkl".map { "\"\($0)\"" }.joined(separator: ", ")
        let regions = ["one", "two"].map {
            "[[region]]\nid = \"\($0)\"\nshape = \"full\"\npass = true\ngestures = [\"tap\"]\n"
        }
        let typist = try Typist(
            "[[binding]]\ngesture = \"tap\"\nkeys = [\(keys)]\n", more: regions.joined(), speed: 5)
        let report = "gestures came too fast, "
        let start = try typist.panel.now()
        for second in 1...2 {
            try typist.panel.at(start + Int64(second) * 1_000_000)
            try typist.land(x: 3000, y: 800)
            try typist.panel.lift()
            #expect(waitUntil { typist.log.contains(report) })
        }
        // The second report comes ten seconds after the first one, on the clock of the program.
        #expect(waitUntil { typist.log.components(separatedBy: report).count == 3 })
        #expect(typist.log.contains("; at most 50 keys a second are pressed"))
    }

    @Test("Without uinput the program ends, and says what to do")
    func denied() throws {
        let folder = try ScratchFolder()
        let machine = try FakeMachine(in: folder, uinput: .denied)
        let settings = try folder.write("version = 1\n" + Self.hold, to: "keys.toml")
        let program = try ChildProcess(
            [BuildProducts.program("gestured-keys"), "-c", settings],
            environment: try machine.environment(over: ChildProcess.inherited), errorFile: folder("log"))
        #expect(try program.waitForExit() == .exited(71))
        #expect(
            try String(contentsOfFile: folder("log"), encoding: .utf8) == """
                gestured-keys: this user may not create input devices; start the program with systemctl start gestured-keys
                gestured-keys: open /dev/uinput: Permission denied

                """)
    }
}
