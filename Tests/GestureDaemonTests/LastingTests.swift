// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import GestureDaemon

/// Plays each ending of `Lasting` with each state.
@Suite("Daemon: what outlives what")
struct LastingTests {
    @Test("a state outlives what the list says", arguments: Lasting.allCases.filter { $0 != .requestRate })
    func outlives(state: Lasting) throws {
        var stage = try LastingStage(state)
        for ending in Lasting.Ending.allCases {
            try stage.play(ending)
            let lasts = try stage.lasts()
            #expect(lasts == state.outlives(ending), "\(state) after \(ending)")
            // The state is set up again after it has ended. Crashes would also end by themselves.
            if !state.outlives(ending) || state == .crashes { stage = try LastingStage(state) }
        }
    }

    @Test("each file is the place of a state", arguments: KeptFile.Name.allCases)
    func files(name: KeptFile.Name) {
        let states = Lasting.allCases.filter { $0.file == name }
        #expect(!states.isEmpty && states.allSatisfy { $0.outlives(.crash) && $0.outlives(.boot) != name.isOfBoot })
    }

    @Test("the requests of a connection are counted on by the user's next connection, but not by the next process")
    func requestRate() {
        // `RequestTests` plays the only ending of a connection within a process.
        #expect(Lasting.Ending.allCases.filter { !Lasting.requestRate.outlives($0) } == [.crash, .restart, .boot])
    }

    @Test("an idle scene does not end a lockout")
    func idleScene() throws {
        var stage = try LastingStage(.wrongSteps)
        try stage.reload(adding: "[[idle]]\nid = \"saver\"\nafter = \"100ms\"\nscene = \"other\"\n")
        _ = try stage.client.wait(for: "the idle scene") { $0["change"] == "scene" && $0["scene"] == "other" }
        try stage.touch(x: 4000)
        _ = try stage.client.wait(for: "the former scene") { $0["change"] == "scene" && $0["scene"] == "main" }
        try stage.reload()
        let lasts = try stage.lasts()
        #expect(lasts)
    }

    @Test("a wrong step before a re-plug and a crash, and one after each, lock out")
    func wrongSteps() throws {
        var stage = try LastingStage(.wrongSteps, attempts: 3, wrong: 1)
        try stage.play(.replug)
        try stage.tapWrong()
        try stage.play(.crash)
        try stage.tapWrong()
        let lasts = try stage.lasts()
        #expect(lasts)
    }

    @Test(
        "a file with other values is ignored with one warning",
        arguments: [
            #"{"panels":1}"#, #"{"panels":[1]}"#, #"{"panels":[{"panel":"panel"}]}"#,
            #"{"panels":[{"panel":"panel","given_back":false,"patterns":[{"region":"lock","gesture":"code","wrong":1}]}]}"#,
            #"{"panels":[{"panel":"panel","given_back":false,"patterns":[{"region":"lock","gesture":"code","wrong":9,"latest_us":9000000000000000000,"end_us":9000000000000000000}]}]}"#,
        ])
    func damaged(contents: String) throws {
        let folder = try ScratchFolder()
        try folder.write(contents, to: "panels")
        let daemon = try DaemonProcess(
            TestConfiguration.button, in: try ScratchFolder(), environment: ["RUNTIME_DIRECTORY": folder.path])
        _ = try daemon.connect()
        let warnings = daemon.log.components(separatedBy: "ignoring what the previous process has kept of panels")
        #expect(warnings.count == 2, "\(daemon.log)")
    }
}

/// A daemon with a panel, and one state of `Lasting`.
struct LastingStage {
    private static let scenes = """
        [daemon]
        scene = "main"
        [filter]
        storm = { contacts_per_second = 1000, quiet = "1h" }
        [[scene]]
        id = "main"
        regions = ["ok", "no", "lock"]
        [[scene]]
        id = "other"
        regions = ["no"]
        [[profile]]
        id = "large"
        defaults = { tap = { slop = "9mm" } }

        """
    private static let code = #""type":"pattern","name":"code","steps":["tap ok","tap ok"],"lockout":"1h""#

    /// The tracking id of a finger that stays down.
    private static let heldID = 300

    private let state: Lasting
    private let configuration: String
    private let folder: ScratchFolder
    private let runtime: ScratchFolder
    /// The folder of `--state-dir`.
    private let kept: ScratchFolder
    private let panel: FakePanel
    private let machine: FakeMachine
    private let attempts: Int
    private var daemon: DaemonProcess
    private(set) var client: SocketClient
    private let contacts = Contacts()

    private final class Contacts { var next = 1 }

    init(_ state: Lasting, attempts: Int = 1, wrong: Int = 1) throws {
        (self.state, self.attempts) = (state, attempts)
        let pattern =
            #"{ type = "pattern", name = "code", steps = ["tap ok", "tap ok"], attempts = \#(attempts), lockout = "1h" }"#
        let panelTable =
            switch state {
            case .givenBack: TestConfiguration.panel + "grab = true\n"
            case .sharingLock: TestConfiguration.panel + "share = \"forward\"\n"
            default: TestConfiguration.panel
            }
        configuration =
            (state == .storm
                ? panelTable + Self.scenes.replacing("= 1000,", with: "= 5,") : panelTable + Self.scenes)
            + Self.buttons + "[[region]]\nid = \"lock\"\nshape = \"full\"\npass = true\ngestures = [\(pattern)]\n"
        folder = try ScratchFolder()
        runtime = try ScratchFolder()
        kept = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try panel.add()
        machine = try FakeMachine(in: folder, uinput: .file(folder("uinput")))
        if state == .crashes { try runtime.write("\(Int(MonotonicSeconds.now * 1e6) - 1000)\n", to: "starts") }
        if state == .sharingLock { try runtime.write("", to: "off") }
        daemon = try Self.start(configuration, panel, machine, runtime, kept)
        client = try daemon.connect(toPanel: "panel")
        try begin(wrong: wrong)
    }

    private static let buttons = TestConfiguration.twoButtons.replacing(TestConfiguration.panel, with: "")

    private static func start(
        _ configuration: String, _ panel: FakePanel, _ machine: FakeMachine, _ runtime: ScratchFolder,
        _ kept: ScratchFolder
    ) throws -> DaemonProcess {
        try DaemonProcess(
            configuration, in: try ScratchFolder(), panel: panel, arguments: ["--state-dir", kept.path],
            environment: ["RUNTIME_DIRECTORY": runtime.path], machine: machine)
    }

    // MARK: The state

    private mutating func begin(wrong: Int) throws {
        switch state {
        case .wrongSteps:
            try define()
            #expect(try opens() == 2)
            for _ in 0..<wrong { try tapWrong() }
        case .storm:
            let now = try panel.now()
            for number in 0..<8 {
                try panel.at(now - 800_000 + Int64(number) * 50_000)
                try tap(x: 100)
            }
            try panel.at(nil)
        case .givenBack:
            try panel.at(try panel.now() - 3_100_000)
            for slot in 0..<5 { try panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
            try panel.at(nil)
            // The daemon gives the panel back after it has answered a request.
            for _ in 0..<100 { if try lasts() { break } }
            for slot in 0..<5 { try panel.lift(slot) }
        case .sceneTime: try request(#""set_scene","scene":"other","for_ms":600000"#)
        case .contacts:
            try panel.land(id: Self.heldID, x: 100, y: 100)
            try client.wait(for: "gesture press begin ok")
        case .outputs:
            try request(#""set_output","device":"panel","rotation":90"#)
            try waitForKept("outputs.json")
        case .configuration: try waitForKept("last-good.json")
        case .crashes, .requestRate, .sharingLock: break
        }
        // A right code would end a state that does not last yet.
        let lasts = try attempts > 1 || lasts()
        #expect(lasts)
    }

    /// Waits for a file that a thread of the daemon writes.
    private func waitForKept(_ name: String) throws {
        guard waitUntil({ access(kept(name), F_OK) == 0 }) else { throw TestFailure("no \(name)") }
    }

    /// Whether the state still has its effect.
    mutating func lasts() throws -> Bool {
        switch state {
        case .wrongSteps: return try opens() == 0
        case .storm:
            let before = try ghosts()
            try tap(x: 100)
            return try ghosts() > before
        case .givenBack:
            return try row()["grab"] == "given_back"
        case .requestRate: return false
        case .sceneTime: return try request(#""state""#).number("scene_for_ms") != nil
        case .contacts:
            // If the next process had no list of earlier contacts, it would ignore a finger that lands before it.
            guard try isNewFingerHeard() else { return false }
            let list = try Data(contentsOf: URL(fileURLWithPath: runtime("event0"))).drop { $0 != UInt8(ascii: "\n") }
            return list.dropFirst().starts(with: withUnsafeBytes(of: Self.heldID) { Data($0.prefix(4)) })
        case .crashes:
            let starts = try String(contentsOfFile: runtime("starts"), encoding: .utf8)
            return starts.split(separator: "\n").count > 1
        case .sharingLock: return try row()["reason"]?.contains("crashed 3 times") == true
        case .outputs: return try row().object("output")?.number("rotation") == 90
        case .configuration: return try fallsBack()
        }
    }

    private func row() throws -> JSONLine {
        let row = try request(#""devices""#).objects("devices").first { $0["device"] == "panel" }
        guard let row else { throw TestFailure("no panel") }
        return row
    }

    /// Whether the next process hears a finger that lands before it.
    private mutating func isNewFingerHeard() throws -> Bool {
        try end(SIGKILL)
        try panel.commands("set 3 47 1\nset 3 57 \(contacts.next)\nset 3 53 100\nset 3 54 100")
        contacts.next += 1
        try startAgain()
        let active = try request(#""state""#).objects("active")
        try panel.lift(1)
        return !active.isEmpty
    }

    /// Whether a daemon whose files are wrong uses those that this one has accepted.
    private func fallsBack() throws -> Bool {
        let other = try DaemonProcess(
            TestConfiguration.wrong, in: try ScratchFolder(), arguments: ["--state-dir", kept.path])
        let status = try other.connect().request(#"{"cmd":"status","id":1}"#)
        return status.object("config")?["state"] == "last_good"
    }

    /// The number of touches that were part of a storm.
    private func ghosts() throws -> Double {
        let devices = try request(#""counts""#).objects("devices")
        return devices.first { $0["device"] == "panel" }?.object("ignored")?.number("storm") ?? 0
    }

    /// Enters the code, and returns the number of patterns that it opens: the one of the files, and the one that a
    /// client has defined.
    private func opens() throws -> Int {
        let before = client.lines.transcript.count
        defer { #expect(client.lines.transcript[before...].count { $0.contains(#""gesture":"tap""#) } == 2) }
        for _ in 1...2 { try tap(x: 100) }
        return client.lines.transcript[before...].count {
            $0.contains(#""event":"gesture""#) && $0.contains(#""code""#)
        }
    }

    func tapWrong() throws { try tap(x: 4000) }

    func tap(x: Int) throws {
        try touch(x: x)
        // When the second reply comes, the turn that has read the touch is over, and what it has changed is stored.
        for _ in 1...2 { try request(#""ping""#) }
    }

    func touch(x: Int) throws {
        // At the place of the touch before, it might be a bounce of the panel.
        try panel.land(id: contacts.next, x: x, y: 100 + contacts.next % 9 * 400)
        try panel.lift()
        contacts.next += 1
    }

    @discardableResult
    private func request(_ text: String) throws -> JSONLine { try client.request(#"{"cmd":\#(text),"id":1}"#) }

    private func define() throws {
        let region = #"{"id":"guest","shape":"full","pass":true,"gestures":[{\#(Self.code),"attempts":\#(attempts)}]}"#
        #expect(try request(#""define_regions","regions":[\#(region)]"#).flag("ok") == true)
    }

    // MARK: Endings

    mutating func play(_ ending: Lasting.Ending) throws {
        switch ending {
        case .scene:
            try request(#""set_scene","scene":"other""#)
            try request(#""set_scene","scene":"main""#)
        case .regionSwitch:
            for isOn in [false, true] { try request(#""set_region","region":["lock","guest"],"enabled":\#(isOn)"#) }
        case .definition:
            try request(#""define_regions","regions":[]"#)
            try define()
        case .profile: for profile in ["large", "default"] { try request(#""set_profile","profile":"\#(profile)""#) }
        case .output:
            for rotation in [180, 0] { try request(#""set_output","device":"panel","rotation":\#(rotation)"#) }
        case .reload:
            // The pattern's region changes, and changes back.
            try reload(configuration.replacing("pass = true\n", with: "pass = true\nz = 3\n"))
            try reload()
        case .reopening:
            try panel.commands("range 53 0 4000 0 0 20\nchange")
            try client.wait(for: "device added")
        case .replug:
            try panel.remove()
            try client.wait(for: "device removed")
            try panel.add()
            try client.wait(for: "device added")
        case .sleep:
            machine.sleep(seconds: 100)
            try request(#""ping""#)
        case .hangup: client = try daemon.connect(toPanel: "panel")
        case .crash: try startAgain(after: SIGKILL)
        case .restart: try startAgain(after: SIGTERM)
        case .boot:
            try end(SIGTERM)
            try panel.remove()
            try panel.add()
            try runtime.write("4f2b8e8c60a94d3c9d9de10d2a8f6c11", to: KeptFile.stamp)
            try startAgain()
        }
    }

    /// - Parameter text: a configuration that takes the place of the stage's own.
    private func reload(_ text: String) throws {
        try daemon.configure(text)
        #expect(try request(#""reload""#).flag("ok") == true)
    }

    func reload(adding table: String = "") throws { try reload(configuration + table) }

    private func end(_ signal: Int32) throws {
        daemon.program.signal(signal)
        _ = try daemon.program.waitForExit()
    }

    private mutating func startAgain(after signal: Int32) throws {
        try end(signal)
        try startAgain()
    }

    private mutating func startAgain() throws {
        // Starts that follow crashes are delayed.
        if state != .crashes { unlink(runtime("starts")) }
        daemon = try Self.start(configuration, panel, machine, runtime, kept)
        client = try daemon.connect(toPanel: "panel")
        if state == .wrongSteps { try define() }
    }
}
