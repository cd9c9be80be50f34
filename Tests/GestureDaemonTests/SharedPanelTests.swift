// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: share = \"forward\"")
struct SharedPanelTests {
    private static func configuration(_ share: String = "share = \"forward\"\n") -> String {
        TestConfiguration.panel + share + """
            [[region]]
            id = "ok"
            shape = { rect = ["0%", "0%", "50%", "100%"] }
            gestures = ["press", { type = "swipe", when = "threshold", consume = true }]
            [[region]]
            id = "service"
            touches = "capture"
            shape = { rect = ["60%", "0%", "40%", "100%"] }
            gestures = ["press"]

            """
    }

    private static let made = "made gestured/event0 Fake Panel"
    private static let removed = "removed gestured/event0"

    /// The daemon with a fake panel and a fake uinput.
    private struct Shared {
        private let folder: ScratchFolder
        let panel: FakePanel
        let daemon: DaemonProcess
        let client: SocketClient
        private let file: String

        init(
            _ configuration: String = SharedPanelTests.configuration(), uinput: FakeMachine.Uinput? = nil,
            directory: String? = nil, prepare: (FakePanel) throws -> Void = { try $0.add() }
        ) throws {
            folder = try ScratchFolder()
            panel = try FakePanel(in: folder)
            try prepare(panel)
            file = folder("uinput")
            let machine = try FakeMachine(in: folder, uinput: uinput ?? .file(file))
            let environment = directory.map { ["RUNTIME_DIRECTORY": $0] } ?? [:]
            daemon = try DaemonProcess(
                configuration, in: folder, panel: panel, environment: environment, machine: machine)
            client = try daemon.connect(toPanel: "panel")
        }

        func row() throws -> JSONLine {
            let devices = try client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
            guard let row = devices.first(where: { $0["device"] == "panel" }) else { throw TestFailure("no panel") }
            return row
        }

        /// A log with one line for each created and removed device.
        var notes: [String] {
            let text = (try? String(contentsOfFile: file + ".log", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        /// Waits until the log equals `expected`. The wait is necessary because a twin is removed 100 ms after the last
        /// lift.
        func waitForNotes(_ expected: [String]) throws {
            waitUntil { notes == expected }
            #expect(notes == expected)
        }

        /// Landings and lifts that the daemon has written to the twin: `+SLOT`, `-SLOT`, and `?SLOT` for the
        /// lift of a contact that is not down.
        /// - Parameter start: if set, each entry also has the frame's time in microseconds since `start`.
        func heard(since start: Int64? = nil) throws -> [String] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            var heard: [String] = []
            var slot: Int32 = 0
            var down: Set<Int32> = []
            for event in bytes.inputEvents where event.type == Self.evAbs {
                if event.code == Self.absMTSlot { slot = event.value }
                guard event.code == Self.absMTTrackingID else { continue }
                let time = start.map { " \(event.time - $0)" } ?? ""
                let wasDown = down.remove(slot) != nil
                if event.value >= 0 { down.insert(slot) }
                heard.append((event.value >= 0 ? "+" : wasDown ? "-" : "?") + "\(slot)" + time)
            }
            return heard
        }

        private static let evAbs: UInt16 = 3
        private static let absMTSlot: UInt16 = 0x2f
        private static let absMTTrackingID: UInt16 = 0x39
    }

    @Test("the twin stays when the panel is turned, with the axes of the panel; a finger on it lifts")
    func turned() throws {
        let shared = try Shared()
        try shared.panel.land(0, id: 1, x: 100, y: 100)
        try shared.client.wait(for: "gesture press begin ok")
        let request = #"{"cmd":"set_output","id":1,"device":"panel","rotation":180}"#
        #expect(try shared.client.request(request).flag("ok") == true)
        #expect(try shared.heard() == ["+0", "-0"])
        try shared.panel.lift(0)
        try shared.panel.land(0, id: 2, x: 4000, y: 100)
        try shared.client.wait(for: "gesture press begin ok")
        #expect(try shared.heard() == ["+0", "-0", "+0"])
        #expect(shared.notes == [Self.made])
        #expect(try shared.row()["grab"] == "held")
    }

    @Test("touches go to the twin with their times; captured ones do not, and consumed ones lift")
    func forwarded() throws {
        let shared = try Shared()
        #expect(shared.notes == [Self.made])
        #expect(try shared.panel.isGrabbed)
        #expect(try shared.row()["share"] == "forward")
        #expect(try shared.row()["grab"] == "held")
        let start = try shared.panel.now()
        try shared.panel.at(start + 1)
        try shared.panel.land(0, id: 1, x: 100, y: 100)
        try shared.client.wait(for: "gesture press begin ok")
        try shared.panel.at(start + 2)
        try shared.panel.land(1, id: 2, x: 3000, y: 100)
        try shared.client.wait(for: "gesture press begin service")
        try shared.panel.lift(1)
        try shared.panel.lift(0)
        try shared.client.wait(for: "gesture press end ok")
        #expect(try shared.heard(since: start) == ["+0 1", "-0 2"])
        let counts = try #require(try shared.row().object("twin"))
        #expect(counts["node"] == "/dev/input/event90")
        #expect(["forwarded", "captured", "held", "cancelled"].map { counts.number($0) } == [1, 1, 0, 0])
        let status = try shared.client.request(#"{"cmd":"status","id":2}"#)
        #expect(status.object("devices")?.number("shared") == 1)
        #expect(status.object("touches")?.number("captured") == 1)
        #expect(try shared.daemon.stop() == .exited(0))
        #expect(shared.notes == [Self.made, Self.removed])
        #expect(try !shared.panel.isGrabbed)
    }

    @Test("the application's filter: `touches`, `devices`, `status` and `counts` say what it keeps; a scene changes it")
    func filtered() throws {
        let shared = try Shared(
            Self.configuration("share = \"forward\"\napplication = { max_contacts = 1 }\n") + """
                [[scene]]
                id = "map"
                regions = ["*"]
                application = { max_contacts = 2 }
                """)
        _ = try shared.client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","touches"]}"#)
        try shared.panel.land(0, id: 1, x: 100, y: 100)
        try shared.panel.land(1, id: 2, x: 2200, y: 100)
        try waitUntil {
            _ = try shared.client.request(#"{"cmd":"ping","id":1}"#)
            return shared.client.lines.transcript.contains { $0.contains(#""to":"gestured","kept":"max_contacts""#) }
        }
        #expect(try shared.heard() == ["+0"])
        #expect(try shared.row().object("twin")?.object("kept")?.number("max_contacts") == 1)
        let status = try shared.client.request(#"{"cmd":"status","id":2}"#)
        #expect(status.object("touches")?.object("kept")?.number("max_contacts") == 1)
        let counts = try shared.client.request(#"{"cmd":"counts","id":3}"#).objects("devices").first
        #expect(counts?.object("kept")?.number("max_contacts") == 1)
        try shared.panel.lift(1)
        _ = try shared.client.request(#"{"cmd":"set_scene","id":4,"scene":"map"}"#)
        try shared.panel.land(1, id: 3, x: 2200, y: 100)
        try waitUntil { try shared.heard() == ["+0", "+1"] }
        #expect(try shared.heard() == ["+0", "+1"])
    }

    @Test("a swipe that consumes: the contact stands still and lifts; `touches` names the owner")
    func consumed() throws {
        let shared = try Shared()
        _ = try shared.client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","touches"]}"#)
        try shared.panel.land(0, id: 1, x: 2000, y: 100)
        for x in stride(from: 1800, through: 600, by: -200) { try shared.panel.move(0, x: x, y: 100) }
        try shared.client.wait(for: "gesture swipe left ok")
        try waitUntil {
            _ = try shared.client.request(#"{"cmd":"ping","id":1}"#)
            return try shared.heard() == ["+0", "-0"]
        }
        #expect(try shared.heard() == ["+0", "-0"])
        let receivers = shared.client.lines.transcript.compactMap { JSONLine($0) }.filter { $0["event"] == "touches" }
            .compactMap {
                $0.objects("contacts").first?["to"]
            }
        // The second contact lands between the regions.
        try shared.panel.land(1, id: 2, x: 2200, y: 100)
        _ = try shared.client.wait(for: "touches of two") { $0.objects("contacts").contains { $0["to"] == "app" } }
        #expect(receivers.first == "both")
        #expect(receivers.last == "gestured")
        #expect(try shared.row().object("twin")?.number("cancelled") == 1)
    }

    @Test("a tap that was held for a swipe: the application gets it when it lifts, and `touches` reports that")
    func heldTap() throws {
        let hold = Self.configuration().replacing("\"capture\"", with: "\"hold\"")
            .replacing("gestures = [\"press\"]", with: "gestures = [\"swipe\"]")
        let shared = try Shared(hold)
        _ = try shared.client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","touches"]}"#)
        try shared.panel.land(0, id: 1, x: 3000, y: 100)
        let landed = try shared.client.wait(for: "landing") { $0.objects("contacts").first?["to"] == "gestured" }
        try shared.panel.lift(0)
        let line = try shared.client.wait(for: "lift") { $0["event"] == "touches" && $0.objects("contacts").isEmpty }
        let id = try #require(landed.objects("contacts").first?.number("id"))
        #expect(line.description.contains("\"given\":[\(Int(id))]"))
        #expect(try shared.heard() == ["+0", "-0"])
    }

    @Test("unplugged under a finger: it lifts before the twin is removed")
    func unplugged() throws {
        let shared = try Shared()
        try shared.panel.land(0, id: 1, x: 100, y: 100)
        try shared.client.wait(for: "gesture press begin ok")
        try shared.panel.remove()
        _ = try shared.client.wait(for: "device panel removed") { $0["change"] == "removed" }
        #expect(try shared.heard() == ["+0", "-0"])
        try shared.waitForNotes([Self.made, Self.removed])
    }

    @Test("five fingers that stay release the panel and remove the twin; a reload creates another one")
    func givenBack() throws {
        let shared = try Shared()
        try shared.panel.at(try shared.panel.now() - 3_100_000)
        for slot in 0..<5 { try shared.panel.land(slot, id: slot + 1, x: 100 + 200 * slot, y: 100) }
        try shared.client.wait(for: "gesture press begin ok")
        for _ in 0..<1000 where try shared.panel.isGrabbed { _ = try shared.client.request(#"{"cmd":"ping","id":1}"#) }
        #expect(try shared.row()["grab"] == "given_back")
        #expect(try shared.row().object("twin") == nil)
        try shared.waitForNotes([Self.made, Self.removed])
        #expect(try shared.heard().suffix(5) == ["-0", "-1", "-2", "-3", "-4"])
        for slot in 0..<5 { try shared.panel.lift(slot) }
        try shared.client.wait(for: "gesture press end ok")
        #expect(try shared.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try shared.panel.isGrabbed)
        try shared.waitForNotes([Self.made, Self.removed, Self.made])
    }

    @Test("a reload that changes `touches` of regions keeps the twin; one that ends the sharing removes it")
    func reload() throws {
        let shared = try Shared()
        try shared.daemon.configure(Self.configuration().replacing("\"capture\"", with: "\"share\""))
        #expect(try shared.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(shared.notes.count == 1)
        try shared.panel.land(1, id: 2, x: 3000, y: 100)
        try shared.client.wait(for: "gesture press begin service")
        #expect(try shared.heard() == ["+1"])
        try shared.daemon.configure(Self.configuration(""))
        #expect(try shared.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try shared.heard() == ["+1", "-1"])
        try shared.waitForNotes([Self.made, Self.removed])
        #expect(try shared.row()["share"] == nil)
        #expect(try !shared.panel.isGrabbed)
    }

    @Test("without uinput, or permission for it, the panel is not grabbed, and the log states reason and remedy")
    func refused() throws {
        for (uinput, cure) in [(FakeMachine.Uinput.none, "modprobe uinput"), (.denied, "gesturectl share --enable")] {
            let shared = try Shared(uinput: uinput)
            #expect(try shared.row()["share"] == "listen")
            #expect(try shared.row()["reason"]?.contains(cure) == true)
            #expect(shared.daemon.log.contains(cure))
            #expect(try !shared.panel.isGrabbed)
            try shared.panel.land(0, id: 1, x: 100, y: 100)
            try shared.client.wait(for: "gesture press begin ok")
        }
    }

    @Test("the twin of another daemon is refused")
    func twin() throws {
        let shared = try Shared {
            try $0.add()
            try $0.command("phys gestured/event0")
            try $0.add(1)
        }
        let devices = try shared.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        let other = try #require(devices.first { $0["node"] == "/dev/input/event1" })
        #expect(other["state"] == "refused")
        #expect(other["reason"]?.contains("twin") == true)
    }

    @Test("three crashes within 30 s end the sharing")
    func crashes() throws {
        let folder = try ScratchFolder()
        for _ in 0..<3 {
            let shared = try Shared(directory: folder.path)
            #expect(try shared.row()["share"] == "forward")
            shared.daemon.program.signal(SIGKILL)
            _ = try shared.daemon.program.waitForExit()
        }
        let shared = try Shared(directory: folder.path)
        #expect(try shared.row()["share"] == "listen")
        #expect(try shared.row()["reason"]?.contains("crashed 3 times") == true)
        #expect(access(folder("off"), F_OK) == 0)
        for name in ["off", "starts"] { unlink(folder(name)) }
        #expect(try shared.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try shared.row()["share"] == "forward")
    }

    @Test("starts of daemons that end regularly do not count")
    func restarts() throws {
        let folder = try ScratchFolder()
        for _ in 0..<4 {
            let shared = try Shared(directory: folder.path)
            #expect(try shared.row()["share"] == "forward")
            #expect(try shared.daemon.stop() == .exited(0))
        }
    }

    @Test("the service manager stores the twin by name until it is removed")
    func stored() throws {
        let shared = try Shared()
        #expect(shared.daemon.manager.received.contains("FDNAME=twin-event0"))
        #expect(shared.daemon.manager.received.contains("FDSTORE=1"))
        #expect(!shared.daemon.manager.received.contains("FDSTOREREMOVE=1"))
        shared.daemon.program.signal(SIGTERM)
        try shared.daemon.manager.wait(for: "FDSTOREREMOVE=1", from: shared.daemon.program)
    }
}
