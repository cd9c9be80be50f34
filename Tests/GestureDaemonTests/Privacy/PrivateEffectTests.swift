// SPDX-License-Identifier: MIT
import Foundation
import GestureProtocol
import GestureTestSupport
import Testing

/// Each request of a client without the right `private` does to private regions what `Request.privateEffect` says.
@Suite("Daemon: effects of requests on private regions", .enabled(if: getuid() == 0, "only root can change the user"))
struct PrivateEffectTests {
    /// A private pad, of which the picture is in the upper right quarter of the output.
    private static let pad = """
        [[region]]
        id = "pad"
        shape = { rect = ["50%", "0%", "50%", "50%"] }
        private = true
        gestures = ["press"]

        """

    private static let open =
        TestConfiguration.panel + """
            [filter]
            storm = "off"
            [[region]]
            id = "list"
            shape = "full"
            z = -1
            gestures = ["press"]
            [[scene]]
            id = "night"
            regions = ["list"]

            """

    private static func access(_ rights: [String]) -> String {
        "[access]\n" + rights.map { "\($0)_uids = [65534]\n" }.joined()
    }

    private static func cover(_ id: String, _ more: String = "") -> String {
        #"{"id":"app.\#(id)","shape":"full","z":9,"margin":"5mm","gestures":["press"]\#(more)}"#
    }

    /// Requests with which a client may try to move, show or delay the pad.
    private static func requests(_ name: CommandName) -> [String] {
        switch name {
        case .subscribe:
            [
                #"{"cmd":"subscribe","events":["touches"]}"#, #"{"cmd":"subscribe","events":["gesture","frame"]}"#,
                #"{"cmd":"subscribe","events":["gesture","failed","idle","device","config"]}"#,
            ]
        case .status, .clients, .devices, .state, .ping, .counts, .describe, .touchMap, .reload, .activity:
            [#"{"cmd":"\#(name.rawValue)"}"#]
        case .regions: [#"{"cmd":"regions"}"#, #"{"cmd":"regions","region":"p*"}"#]
        case .at: [#"{"cmd":"at","x":800,"y":100}"#]
        case .cancel: [#"{"cmd":"cancel","region":"*"}"#, #"{"cmd":"cancel","region":"pad"}"#]
        case .setRegion:
            [
                #"{"cmd":"set_region","region":"*","enabled":false}"#,
                #"{"cmd":"set_region","region":["list","pad"],"enabled":false}"#,
            ]
        case .setScene:
            [#"{"cmd":"set_scene","scene":"night"}"#, #"{"cmd":"set_scene","scene":"night","for_ms":60000}"#]
        case .setProfile:
            [
                #"{"cmd":"set_profile","profile":"steady"}"#,
                #"{"cmd":"set_profile","profile":"slow","lease":true}"#,
            ]
        case .setOutput:
            [
                #"{"cmd":"set_output","rotation":180}"#, #"{"cmd":"set_output","device":"panel","size":[512,512]}"#,
                #"{"cmd":"set_output","device":"panel"}"#, #"{"cmd":"set_output","rotation":"flipped"}"#,
            ]
        case .defineRegions:
            [
                #"{"cmd":"define_regions","regions":[\#(cover("a"))]}"#,
                #"{"cmd":"define_regions","lease":true,"wait":true,"regions":[\#(cover("b"))]}"#,
            ]
        case .putRegion:
            [
                #"{"cmd":"put_region","lease":true,"region":\#(cover("c", #","parent":"list""#))}"#,
                #"{"cmd":"put_region","lease":true,"region":\#(cover("d", #","parent":"pad""#))}"#,
                #"{"cmd":"put_region","region":\#(cover("e", #","capture":"follow""#)),"wait":true}"#,
            ]
        case .removeRegion:
            [#"{"cmd":"remove_region","region":"pad"}"#, #"{"cmd":"remove_region","lease":true,"region":"list"}"#]
        }
    }

    /// The private regions as a client with all rights sees them: where they are on the glass, and whether they are on.
    private func pads(_ insider: SocketClient) throws -> String {
        let regions = try insider.request(#"{"cmd":"regions"}"#).objects("regions")
            .filter { $0.flag("private") == true }
        let output = try insider.request(#"{"cmd":"devices"}"#).objects("devices").compactMap { $0.object("output") }
        return "\(regions) \(output)"
    }

    private func touch(_ harness: StrangerHarness, id: Int, while act: () throws -> Void = {}) throws -> [String] {
        let insider = harness.panel.client
        let first = insider.lines.transcript.count
        try harness.panel.panel.land(id: id, x: 3000, y: 400)
        _ = try insider.wait(for: "the landing") { $0["gesture"] == "press" && $0["phase"] == "begin" }
        try act()
        try harness.panel.panel.lift()
        func ends() -> [String] {
            insider.lines.transcript[first...].compactMap { JSONLine($0)?.summary }.filter {
                $0.hasPrefix("gesture press") && !$0.contains("begin")
            }
        }
        if ends().isEmpty { _ = try insider.wait(for: "the end") { ["end", "cancel"].contains($0["phase"] ?? "") } }
        return insider.lines.transcript[first...].compactMap { JSONLine($0)?.summary }.filter {
            $0.hasPrefix("gesture press")
        }
    }

    /// Makes one request while a finger is on the pad, and compares what happens with the table.
    /// - Returns: the extents that the request has reached: whether it moved the pad, and whether it ended the touch.
    private func examine(
        _ line: String, _ harness: StrangerHarness, id: Int
    ) throws -> (isAccepted: Bool, moves: Bool, delays: Bool) {
        let insider = harness.panel.client
        for reset in [
            #"{"cmd":"set_scene","scene":"default"}"#, #"{"cmd":"set_profile","profile":"default"}"#,
            #"{"cmd":"set_output"}"#, #"{"cmd":"set_region","region":"*","enabled":true}"#,
        ] {
            #expect(try insider.request(reset).flag("ok") == true)
        }
        guard case .request(let request) = RequestReader.read(line) else { throw TestFailure("no request: \(line)") }
        let effect = request.privateEffect
        let before = try pads(insider)
        var reply: JSONLine?
        let lines = try touch(harness, id: id) { reply = try harness.ask(line) }
        let after = try pads(insider)
        let isRefused = reply?.object("error")?["message"]?.contains("private_uids") == true
        #expect(isRefused == effect.isRefused, "\(line): \(String(describing: reply))")
        if effect.moves != .asFilesSay { #expect(after == before, "\(line)") }
        let delays = lines != ["gesture press begin pad", "gesture press end pad"]
        if effect.delays != .asFilesSay { #expect(!delays, "\(line): \(lines)") }
        if effect.moves != .asFilesSay {
            #expect(try touch(harness, id: id + 1).first == "gesture press begin pad", "\(line)")
        }
        return (reply?.flag("ok") == true, after != before, delays)
    }

    /// All combinations of the other rights.
    private static let rights: [[String]] = [
        [], ["control"], ["define"], ["raw"], ["control", "raw"], ["define", "raw"], ["control", "define", "raw"],
    ]

    @Test("nothing is moved, shown or delayed beyond what the table says", arguments: rights)
    func table(rights: [String]) throws {
        let harness = try StrangerHarness(Self.open + Self.pad + Self.access(rights))
        var (id, accepted) = (1, Set<CommandName>())
        for name in CommandName.allCases {
            var (moves, delays) = (false, false)
            for line in Self.requests(name) {
                let found = try examine(line, harness, id: id)
                (moves, delays) = (moves || found.moves, delays || found.delays)
                if found.isAccepted { accepted.insert(name) }
                id += 2
            }
            // The table does not claim more than there is, either. What a profile changes is not a press.
            let isScene = name == .setScene && rights.contains("control")
            #expect(moves == isScene && delays == isScene, "\(name)")
        }
        #expect(accepted.contains(.setScene) == rights.contains("control"))
        #expect(accepted.contains(.putRegion) == !Set(rights).isDisjoint(with: ["control", "define"]))
        #expect(accepted.isDisjoint(with: [.setOutput, .describe]))
        // The finger on the pad was never seen, except in the scene that has no pad.
        for line in harness.stranger.output.transcript {
            let isSeen = line.contains("\"pad\"") && !line.contains("\"error\"") && !line.contains("unmatched")
            let isRaw = line.contains("\"event\":\"touches\"") || line.contains("\"event\":\"frame\"")
            #expect(!isSeen && !isRaw, "\(line)")
        }
    }

    @Test("with both rights, or without private regions, the output can be set")
    func allowed() throws {
        let request = #"{"cmd":"set_output","rotation":180}"#
        let both = try StrangerHarness(Self.open + Self.pad + Self.access(["control", "private"]))
        #expect(try both.ask(request).flag("ok") == true)
        #expect(try both.panel.row().object("output")?.number("rotation") == 180)
        let none = try StrangerHarness(Self.open + Self.access(["private"]))
        let error = try #require(none.ask(request).object("error")?["message"])
        #expect(error.contains("control_uids") && !error.contains("private_uids"), "\(error)")
        let lacksBoth = try StrangerHarness(Self.open + Self.pad + Self.access(["raw"]))
        let message = try #require(lacksBoth.ask(request).object("error")?["message"])
        #expect(message.contains("add this user to control_uids and private_uids in [access]"), "\(message)")
    }

    private func rotation(_ harness: PanelHarness) throws -> Double? {
        try harness.row().object("output")?.number("rotation")
    }

    @Test("an output that was set without the right is not used once there is a private region")
    func earlier() throws {
        let state = try ScratchFolder()
        let harness = try StrangerHarness(
            Self.open + Self.access(["control"]), arguments: ["--state-dir", state.path])
        let (panel, insider) = (harness.panel, harness.panel.client)
        #expect(try harness.ask(#"{"cmd":"set_output","rotation":180}"#).flag("ok") == true)
        #expect(try rotation(panel) == 180)
        func reload(_ configuration: String) throws {
            try panel.daemon.configure(configuration + Self.access(["control"]))
            #expect(try insider.request(#"{"cmd":"reload"}"#).flag("ok") == true)
        }
        try reload(Self.open + Self.pad)
        #expect(try rotation(panel) == 0)
        #expect(panel.daemon.log.contains("is not in private_uids"))
        #expect(try touch(harness, id: 1) == ["gesture press begin pad", "gesture press end pad"])
        try reload(Self.open)
        #expect(try rotation(panel) == 180)
        // A private region that a client defines has the same effect.
        let pin = #"{"id":"pin","private":true,"shape":"full","gestures":["press"]}"#
        let define = #"{"cmd":"define_regions","regions":[\#(pin)]}"#
        #expect(try insider.request(define).flag("ok") == true)
        #expect(try rotation(panel) == 0)
        #expect(try harness.ask(#"{"cmd":"set_output"}"#).object("error")?["code"] == "permission_denied")
        let told = harness.stranger.output.transcript.last { $0.contains("\"event\":\"config\"") }
        #expect(told?.contains("\"change\":\"output\"") == true, "\(told ?? "")")
        #expect(try insider.request(#"{"cmd":"define_regions","regions":[]}"#).flag("ok") == true)
        #expect(try rotation(panel) == 180)
        #expect(try panel.daemon.stop() == .exited(0))
        #expect(
            try String(contentsOfFile: state("outputs.json"), encoding: .utf8)
                == #"{"outputs":[{"device":"panel","private":false,"rotation":"180"}]}"# + "\n")
        let arguments = ["--state-dir", state.path]
        #expect(try rotation(PanelHarness(Self.open + Self.pad, arguments: arguments)) == 0)
        let next = try PanelHarness(Self.open, arguments: arguments)
        #expect(try rotation(next) == 180)
        // An output that a user with the right has set stays.
        #expect(try next.client.request(#"{"cmd":"set_output","rotation":180}"#).flag("ok") == true)
        #expect(try next.daemon.stop() == .exited(0))
        #expect(try rotation(PanelHarness(Self.open + Self.pad, arguments: arguments)) == 180)
    }
}
