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
            #expect(try stage.lasts() == state.outlives(ending), "\(state) after \(ending)")
            // The state is set up again after it has ended.
            if !state.outlives(ending) { stage = try LastingStage(state) }
        }
    }

    @Test("the requests of a connection are counted on by the user's next connection, but not by the next process")
    func requestRate() {
        // `RequestTests` plays the only ending of a connection within a process.
        #expect(Lasting.Ending.allCases.filter { !Lasting.requestRate.outlives($0) } == [.crash, .restart])
    }

    @Test("an idle scene does not end a lockout")
    func idleScene() throws {
        let stage = try LastingStage(.wrongSteps)
        try stage.reload(adding: "[[idle]]\nid = \"saver\"\nafter = \"100ms\"\nscene = \"other\"\n")
        _ = try stage.client.wait(for: "the idle scene") { $0["change"] == "scene" && $0["scene"] == "other" }
        try stage.touch(x: 4000)
        _ = try stage.client.wait(for: "the former scene") { $0["change"] == "scene" && $0["scene"] == "main" }
        try stage.reload()
        #expect(try stage.lasts())
    }

    @Test("a wrong step before a re-plug and a crash, and one after each, lock out")
    func wrongSteps() throws {
        var stage = try LastingStage(.wrongSteps, attempts: 3, wrong: 1)
        try stage.play(.replug)
        try stage.tapWrong()
        try stage.play(.crash)
        try stage.tapWrong()
        #expect(try stage.lasts())
    }

    @Test(
        "a damaged file is ignored with one warning",
        arguments: [
            "", "{", "[]", "null", #"{"panels":1}"#, #"{"panels":[1]}"#, #"{"panels":[{"panel":"panel"}]}"#,
            #"{"panels":[{"panel":"panel","given_back":false,"patterns":[{"region":"lock","gesture":"code","wrong":1}]}]}"#,
            #"{"panels":[{"panel":"panel","given_back":false,"patterns":[{"region":"lock","gesture":"code","wrong":9,"latest_us":9000000000000000000,"end_us":9000000000000000000}]}]}"#,
            String(repeating: "[", count: 4000), String(repeating: "x", count: 2 << 20),
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

    private let state: Lasting
    private let configuration: String
    private let folder: ScratchFolder
    private let runtime: ScratchFolder
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
        let panelTable = state == .givenBack ? TestConfiguration.panel + "grab = true\n" : TestConfiguration.panel
        configuration =
            (state == .storm
                ? panelTable + Self.scenes.replacing("= 1000,", with: "= 5,") : panelTable + Self.scenes)
            + Self.buttons + "[[region]]\nid = \"lock\"\nshape = \"full\"\npass = true\ngestures = [\(pattern)]\n"
        folder = try ScratchFolder()
        runtime = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try panel.add()
        machine = try FakeMachine(in: folder)
        daemon = try Self.start(configuration, panel, machine, runtime)
        client = try daemon.connect(toPanel: "panel")
        try begin(wrong: wrong)
    }

    private static let buttons = TestConfiguration.twoButtons.replacing(TestConfiguration.panel, with: "")

    private static func start(
        _ configuration: String, _ panel: FakePanel, _ machine: FakeMachine, _ runtime: ScratchFolder
    ) throws -> DaemonProcess {
        try DaemonProcess(
            configuration, in: try ScratchFolder(), panel: panel, environment: ["RUNTIME_DIRECTORY": runtime.path],
            machine: machine)
    }

    // MARK: The state

    private func begin(wrong: Int) throws {
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
        case .requestRate: break
        case .sceneTime: try request(#""set_scene","scene":"other","for_ms":600000"#)
        }
        // A right code would end a state that does not last yet.
        if attempts == 1 { #expect(try lasts()) }
    }

    /// Whether the state still has its effect.
    func lasts() throws -> Bool {
        switch state {
        case .wrongSteps: return try opens() == 0
        case .storm:
            let before = try ghosts()
            try tap(x: 100)
            return try ghosts() > before
        case .givenBack:
            let devices = try request(#""devices""#).objects("devices")
            return devices.first { $0["device"] == "panel" }?["grab"] == "given_back"
        case .requestRate: return false
        case .sceneTime: return try request(#""state""#).number("scene_for_ms") != nil
        }
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
        }
    }

    /// - Parameter text: a configuration that takes the place of the stage's own.
    private func reload(_ text: String) throws {
        try daemon.configure(text)
        #expect(try request(#""reload""#).flag("ok") == true)
    }

    func reload(adding table: String = "") throws { try reload(configuration + table) }

    private mutating func startAgain(after signal: Int32) throws {
        daemon.program.signal(signal)
        _ = try daemon.program.waitForExit()
        unlink(runtime("starts"))
        daemon = try Self.start(configuration, panel, machine, runtime)
        client = try daemon.connect(toPanel: "panel")
        if state == .wrongSteps { try define() }
    }
}
