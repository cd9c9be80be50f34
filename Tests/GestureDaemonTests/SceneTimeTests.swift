// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Daemon: scenes with a limited time")
struct SceneTimeTests {
    /// The region `ok` is on the left, `no` on the right. Each belongs to one scene. The daemon starts with `shop`.
    private static let scenes =
        TestConfiguration.twoButtons + """
            [[scene]]
            id = "shop"
            regions = ["ok"]
            [[scene]]
            id = "checkout"
            regions = ["*"]
            [[scene]]
            id = "cleaning"
            regions = ["no"]
            [daemon]
            scene = "shop"

            """

    private static func set(_ scene: String, for milliseconds: Int? = nil) -> String {
        #"{"cmd":"set_scene","id":1,"scene":"\#(scene)"\#(milliseconds.map { #","for_ms":\#($0)"# } ?? "")}"#
    }

    /// Sets a scene, and returns the change that follows.
    private func set(_ scene: String, for milliseconds: Int? = nil, _ client: SocketClient) throws -> String {
        try client.send(Self.set(scene, for: milliseconds))
        let change = try change(client)
        #expect(try client.wait(for: "reply") { $0["reply"] == "set_scene" }.flag("ok") == true)
        return change
    }

    /// The next change of the scene: the scene, and whether its time is limited.
    private func change(_ client: SocketClient) throws -> String {
        let line = try client.wait(for: "scene") { $0["change"] == "scene" }
        return Self.text(line)
    }

    private static func text(_ line: JSONLine) -> String {
        let left = line.number("scene_for_ms")
        #expect(left ?? 0 >= 0)
        return (line["scene"] ?? "") + (left == nil ? "" : " for a time")
    }

    private func state(_ client: SocketClient) throws -> String {
        Self.text(try client.request(#"{"cmd":"state","id":2}"#))
    }

    @Test("the former scene comes back by itself, and what is under way in other regions is cancelled")
    func comesBack() throws {
        let harness = try PanelHarness(Self.scenes)
        #expect(try set("cleaning", for: 600_000, harness.client) == "cleaning for a time")
        let state = try harness.client.request(#"{"cmd":"state","id":2}"#)
        #expect((0...600_000).contains(state.number("scene_for_ms") ?? -1))
        #expect(state.description.contains(#""scene":"cleaning","scene_for_ms":"#))
        let first = try harness.daemon.connect(toPanel: "panel").lines.transcript.first { $0.contains("state") }
        #expect(first?.contains(#""scene":"cleaning","scene_for_ms":"#) == true)
        try harness.press(x: 3000, on: "no")
        // The scene stays the same, so nothing is cancelled yet.
        #expect(try set("cleaning", for: 100, harness.client) == "cleaning for a time")
        #expect(
            try harness.client.summaries(to: "config scene") == ["gesture press cancel disabled no", "config scene"])
        #expect(try self.state(harness.client) == "shop")
        // The finger that was down belongs to nobody; a new one belongs to the scene that has come back.
        try harness.press(1, id: 2)
        #expect(harness.daemon.log.contains("scene: switched back to \"shop\""))
    }

    @Test("a new time replaces the earlier one, and without a time the scene stays")
    func replaced() throws {
        let harness = try PanelHarness(Self.scenes)
        for request in [
            Self.set("checkout"), Self.set("cleaning", for: 2000), Self.set("cleaning", for: 600_000),
            Self.set("cleaning", for: 100),
        ] {
            try harness.client.send(request)
        }
        // The first time was replaced, and the former scene has been kept.
        var changes = try (0..<5).map { _ in try change(harness.client) }
        #expect(changes == ["checkout"] + Array(repeating: "cleaning for a time", count: 3) + ["checkout"])
        for request in [Self.set("cleaning", for: 2000), Self.set("cleaning"), Self.set("shop", for: 100)] {
            try harness.client.send(request)
        }
        changes = try (0..<4).map { _ in try change(harness.client) }
        #expect(changes == ["cleaning for a time", "cleaning", "shop for a time", "cleaning"])
    }

    @Test("the scene that runs can get a time, and then comes back to itself")
    func same() throws {
        let harness = try PanelHarness(Self.scenes)
        #expect(try set("shop", for: 100, harness.client) == "shop for a time")
        #expect(try change(harness.client) == "shop")
        // Without a time, nothing would change.
        try harness.client.request(Self.set("shop"))
        #expect(try set("checkout", harness.client) == "checkout")
    }

    @Test("an unknown scene changes neither the scene nor its time")
    func unknown() throws {
        let harness = try PanelHarness(Self.scenes)
        try harness.client.request(Self.set("cleaning", for: 600_000))
        #expect(try harness.client.request(Self.set("claening")).object("error")?["suggestion"] == "cleaning")
        #expect(try harness.client.request(Self.set("shop", for: 99)).object("error")?["code"] == "bad_value")
        #expect(try state(harness.client) == "cleaning for a time")
    }

    @Test("users who may not see private regions also learn of a new time", .enabled(if: getuid() == 0))
    func strangers() throws {
        let harness = try StrangerHarness(Self.scenes)
        for time in [600_000, 500_000] {
            try harness.panel.client.request(Self.set("cleaning", for: time))
            #expect(try Self.text(harness.receive("config")) == "cleaning for a time")
        }
    }

    @Test("they also learn that a reload has ended a scene, but not why", .enabled(if: getuid() == 0))
    func strangersAfterReload() throws {
        let hidden = "[[region]]\nid = \"pin\"\nprivate = true\nshape = { rect = [0, 0, 9, 9] }\n"
        let harness = try StrangerHarness(Self.scenes + hidden)
        try harness.panel.client.request(Self.set("cleaning", for: 600_000))
        #expect(try Self.text(harness.receive("config")) == "cleaning for a time")
        try harness.panel.daemon.configure(Self.scenes.replacing("\"cleaning\"", with: "\"other\"") + hidden)
        let reply = try harness.panel.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(reply.objects("diagnostics").contains { $0["message"]?.contains("\"cleaning\"") == true })
        let applied = try harness.receive("config")
        #expect(applied["change"] == "applied")
        #expect(applied.objects("diagnostics").isEmpty)
        #expect(try Self.text(harness.receive("config")) == "shop")
    }

    // MARK: restarts

    /// A daemon whose folder for the next process is `folder`.
    private func daemon(_ folder: ScratchFolder, _ configuration: String = Self.scenes) throws -> DaemonProcess {
        try DaemonProcess(configuration, in: try ScratchFolder(), environment: ["RUNTIME_DIRECTORY": folder.path])
    }

    /// The state with the next daemon.
    private func stateOfNext(_ folder: ScratchFolder, _ configuration: String = Self.scenes) throws -> String {
        let daemon = try daemon(folder, configuration)
        return try withExtendedLifetime(daemon) { try state(daemon.connect()) }
    }

    private func end(_ daemon: DaemonProcess, _ signal: Int32) throws {
        daemon.program.signal(signal)
        _ = try daemon.program.waitForExit()
    }

    /// Ends the time of the stored scene.
    private func expire(_ folder: ScratchFolder) throws {
        let text = try String(contentsOfFile: folder("scene"), encoding: .utf8)
        try folder.write(text.replacing(#/"end_us":\d+/#, with: "\"end_us\":1"), to: "scene")
    }

    /// Runs a daemon that ends by a signal in the scene `cleaning`, ten minutes before it returns to `checkout`.
    private func leaveTime(in folder: ScratchFolder, _ signal: Int32) throws {
        let first = try daemon(folder)
        let client = try first.connect()
        try client.request(Self.set("checkout"))
        try client.request(Self.set("cleaning", for: 600_000))
        try end(first, signal)
    }

    @Test("the time continues after a crash and a restart", arguments: [SIGKILL, SIGTERM])
    func continues(signal: Int32) throws {
        let folder = try ScratchFolder()
        try leaveTime(in: folder, signal)
        let second = try daemon(folder)
        let other = try second.connect()
        let left = try other.request(#"{"cmd":"status","id":2}"#).number("scene_for_ms") ?? 0
        #expect(left > 0 && left < 600_000)
        #expect(second.log.contains("scene: \"cleaning\" after the restart: its time continues"))
        #expect(try set("cleaning", for: 100, other) == "cleaning for a time")
        #expect(try change(other) == "checkout")
        // The time has ended, so only the files count.
        try end(second, signal)
        #expect(try stateOfNext(folder) == "shop")
    }

    @Test("the time ends with the boot, also if the folder outlives it")
    func boot() throws {
        let folder = try ScratchFolder()
        try leaveTime(in: folder, SIGKILL)
        try folder.write("4f2b8e8c60a94d3c9d9de10d2a8f6c11", to: "boot")
        #expect(try stateOfNext(folder) == "shop")
    }

    @Test(
        "after a restart with another scene in [daemon], that one follows the time, unless a client had chosen the former"
    )
    func returnsToStart() throws {
        let other = Self.scenes.replacing("scene = \"shop\"", with: "scene = \"default\"")
        for (chosen, expected) in [(nil, "default"), ("shop", "default"), ("checkout", "checkout")] {
            let folder = try ScratchFolder()
            let first = try daemon(folder)
            let client = try first.connect()
            if let chosen { try client.request(Self.set(chosen)) }
            try client.request(Self.set("cleaning", for: 600_000))
            try end(first, SIGTERM)
            #expect(try stateOfNext(folder, other) == "cleaning for a time")
            try expire(folder)
            #expect(try stateOfNext(folder, other) == expected, "\(chosen ?? "none")")
        }
    }

    @Test("the stored time ends without a client and without a touch")
    func endsUnobserved() throws {
        let folder = try ScratchFolder()
        let first = try daemon(folder)
        let client = try first.connect()
        try client.request(Self.set("cleaning", for: 1500))
        try end(first, SIGKILL)
        let second = try daemon(folder)
        // The status of the service is sent again with each change of the scene.
        try second.manager.wait(for: "STATUS=", from: second.program)
        #expect(try state(second.connect()) == "shop")
    }

    @Test("the time has ended while no daemon was running: the former scene is set", arguments: [SIGKILL, SIGTERM])
    func ended(signal: Int32) throws {
        let folder = try ScratchFolder()
        try leaveTime(in: folder, signal)
        try expire(folder)
        let second = try daemon(folder)
        #expect(try state(second.connect()) == "checkout")
        #expect(second.log.contains("scene: \"checkout\" after the restart: the time of \"cleaning\" has ended"))
        #expect(access(folder("scene"), F_OK) != 0)
    }

    @Test("another scene or the end of the time removes what is stored")
    func removed() throws {
        let folder = try ScratchFolder()
        let first = try daemon(folder)
        let client = try first.connect()
        try client.request(Self.set("cleaning", for: 600_000))
        #expect(access(folder("scene"), F_OK) == 0)
        try client.request(Self.set("checkout"))
        #expect(access(folder("scene"), F_OK) != 0)
        try end(first, SIGKILL)
        #expect(try stateOfNext(folder) == "shop")
    }

    @Test("the stored scene no longer exists: the former one is set, or else that of [daemon]")
    func gone() throws {
        for (former, expected) in [("checkout", "checkout"), ("cleaning", "shop")] {
            let folder = try ScratchFolder()
            try folder.write(
                #"{"scene":"washing","former":"\#(former)","end_us":\#(Int(MonotonicSeconds.now * 1e6) + 10_000_000)}"#,
                to: "scene")
            let scenes = Self.scenes.replacing("id = \"cleaning\"", with: "id = \"other\"")
            #expect(try stateOfNext(folder, scenes) == expected)
        }
    }

    private static let damaged = [
        #"{"scene":"cleaning"}"#, #"{"scene":"cleaning","former":"shop"}"#,
        #"{"scene":1,"former":"shop","end_us":1}"#, #"{"scene":"cleaning","former":"shop","end_us":-1}"#,
        #"{"scene":"cleaning","former":"shop","end_us":9223372036854775807}"#,
        #"{"scene":"cleaning","former":"shop","end_us":"1"}"#,
    ]

    @Test("a file with other values is ignored with one warning", arguments: damaged)
    func ignored(contents: String) throws {
        let folder = try ScratchFolder()
        try folder.write(contents, to: "scene")
        let first = try daemon(folder)
        let client = try first.connect()
        #expect(try state(client) == "shop")
        #expect(first.log.components(separatedBy: "warning: scene:").count == 2, "\(first.log)")
        #expect(first.log.contains("ignoring the saved scene"))
        try client.request(Self.set("cleaning", for: 600_000))
        try end(first, SIGKILL)
        #expect(try stateOfNext(folder) == "cleaning for a time")
    }

    @Test("a link or a folder in the file's place is ignored with one warning", arguments: ["ln -s FILE", "mkdir"])
    func foreign(command: String) throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"scene":"cleaning","former":"checkout","end_us":1}"#, to: "FILE")
        let path = command.replacing("FILE", with: folder("FILE")) + " " + folder("scene")
        #expect(try ChildProcess.run(["/bin/sh", "-c", path]).status == 0)
        let first = try daemon(folder)
        #expect(try state(first.connect()) == "shop")
        #expect(first.log.components(separatedBy: "warning: scene:").count == 2, "\(first.log)")
        #expect(access(folder("FILE"), F_OK) == 0)
    }

    @Test("a folder that cannot be written is reported, and the scene is set nevertheless")
    func unwritable() throws {
        let missing = try DaemonProcess(
            Self.scenes, in: try ScratchFolder(), environment: ["RUNTIME_DIRECTORY": "/nonexistent"])
        let client = try missing.connect()
        #expect(!missing.log.contains("warning: scene:"))
        #expect(try set("cleaning", for: 100, client) == "cleaning for a time")
        #expect(try change(client) == "shop")
        #expect(missing.log.contains("warning: scene: the time of \"cleaning\" would be lost by a crash"))
    }

    // MARK: reloads and idle times

    @Test("a reload keeps the time; without the scene, the former one comes back at once")
    func reload() throws {
        let folder = try ScratchFolder()
        let daemon = try daemon(folder)
        let client = try daemon.connect()
        try client.request(Self.set("checkout"))
        try client.request(Self.set("cleaning", for: 600_000))
        /// The warnings about scenes in the reply.
        @discardableResult
        func reload(_ text: String) throws -> [String] {
            try daemon.configure(text)
            let reply = try client.request(#"{"cmd":"reload","id":9}"#)
            #expect(reply.flag("ok") == true)
            return reply.objects("diagnostics").compactMap { $0["message"] }.filter { $0.contains("scene") }
        }
        #expect(try reload(Self.scenes + "\n") == [])
        #expect(try state(client) == "cleaning for a time")
        let other = try daemon.connect()
        let warning = "scene \"cleaning\" no longer exists, so its time has ended; switched to \"checkout\""
        #expect(try reload(Self.scenes.replacing("id = \"cleaning\"", with: "id = \"other\"")) == [warning])
        #expect(try other.summaries(to: "config scene") == ["config applied", "config scene"])
        #expect(try state(client) == "checkout")
        #expect(daemon.log.contains(warning))
        #expect(access(folder("scene"), F_OK) != 0)
        // The former scene is removed, so that of [daemon] comes back later.
        try reload(Self.scenes)
        try client.request(Self.set("cleaning", for: 600_000))
        try reload(Self.scenes.replacing("id = \"checkout\"", with: "id = \"other\""))
        #expect(try state(client) == "cleaning for a time")
        try end(daemon, SIGKILL)
        try expire(folder)
        #expect(try stateOfNext(folder) == "shop")
    }

    @Test("a reload follows another scene of [daemon] unless a client has chosen the one in force, and says so")
    func start() throws {
        // The request before the reload; the scene after it; the scene that follows a time; words of the warning.
        let cases: [(requests: [String], scene: String, former: String?, warning: String?)] = [
            ([], "default", nil, nil),
            ([Self.set("shop")], "default", nil, nil),
            ([Self.set("checkout"), Self.set("shop")], "default", nil, nil),
            (
                [Self.set("checkout")], "checkout", nil,
                "but \"checkout\" stays because a client has set it; to switch now, run gesturectl scene default"
            ),
            (
                [Self.set("cleaning", for: 600_000)], "cleaning for a time", "default",
                "stays until its time has ended and \"default\" follows; to switch now, run gesturectl scene default"
            ),
            (
                [Self.set("checkout"), Self.set("cleaning", for: 600_000)], "cleaning for a time", "checkout",
                "stays until its time has ended and \"checkout\" follows"
            ),
            ([Self.set("default")], "default", nil, nil),
            ([Self.set("default", for: 600_000)], "default for a time", "default", nil),
        ]
        for (requests, scene, former, warning) in cases {
            let harness = try PanelHarness(Self.scenes)
            for request in requests { try harness.client.request(request) }
            let before = try state(harness.client)
            try harness.daemon.configure(Self.scenes.replacing("scene = \"shop\"", with: "scene = \"default\""))
            let other = try harness.daemon.connect()
            let reply = try harness.client.request(#"{"cmd":"reload","id":9}"#)
            #expect(try state(harness.client) == scene)
            let messages = reply.objects("diagnostics").compactMap { $0["message"] }.filter { $0.contains("scene") }
            #expect(messages.count == (warning == nil ? 0 : 1), "\(messages)")
            if let warning { #expect(messages.first?.contains(warning) == true, "\(messages)") }
            // The line about the scene comes if, and only if, the scene is another one.
            let lines = ["config applied"] + (before == scene ? [] : ["config scene"])
            #expect(try other.summaries(to: try #require(lines.last)) == lines)
            #expect(harness.daemon.log.contains("scene: switched to \"default\"") == (before != scene))
            // The regions are those of the scene: `no` is not in `shop`.
            if scene == "default" { try harness.press(x: 3000, on: "no") }
            guard let former else { continue }
            #expect(try set("cleaning", for: 100, harness.client) == "cleaning for a time")
            #expect(try change(harness.client) == former)
        }
    }

    @Test("a reload also changes the scene under that of an idle time")
    func startWhileIdle() throws {
        let saver = "[[idle]]\nid = \"saver\"\nafter = \"100ms\"\nscene = \"checkout\"\n"
        let harness = try PanelHarness(Self.scenes + saver)
        while try state(harness.client) != "checkout" {}
        try harness.daemon.configure(
            Self.scenes.replacing("scene = \"shop\"", with: "scene = \"cleaning\"") + saver)
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).number("warnings") == 0)
        #expect(try state(harness.client) == "checkout")
        try harness.panel.land(id: 2, x: 3000, y: 100)
        try harness.panel.lift()
        while try change(harness.client) != "cleaning" {}
    }

    @Test("an idle time shows its scene beyond the end of the time, and then the former scene comes back")
    func idle() throws {
        let harness = try PanelHarness(
            Self.scenes + "[[idle]]\nid = \"saver\"\nafter = \"100ms\"\nscene = \"checkout\"\n")
        try harness.client.request(Self.set("cleaning", for: 4000))
        // On a slow machine the panel may be idle before the touch.
        try harness.press(x: 3000, on: "no")
        try harness.panel.lift()
        while try change(harness.client) != "checkout" {}
        // The time of the scene that lies below is neither shown nor announced.
        #expect(try state(harness.client) == "checkout")
        #expect(waitUntil { harness.daemon.log.contains("scene: switched back to \"shop\"") })
        #expect(try state(harness.client) == "checkout")
        try harness.panel.land(id: 2, x: 3000, y: 100)
        try harness.panel.lift()
        #expect(try change(harness.client) == "shop")
    }

    // MARK: random requests

    /// The expected scene, and the one that comes back.
    private struct Model: Equatable {
        var scene = "shop"
        var former: String?

        mutating func set(_ scene: String, isLimited: Bool) {
            former = isLimited ? former ?? self.scene : nil
            self.scene = scene
        }

        /// A crash or a restart.
        mutating func restart(isOver: Bool) {
            guard let former else { return self = Model() }
            if isOver { self = Model(scene: former) }
        }

        var text: String { scene + (former == nil ? "" : " for a time") }
    }

    @Test("random requests and restarts leave the expected scene", arguments: 1...3)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var model = Model()
        let folder = try ScratchFolder()
        var daemon = try daemon(folder)
        var client = try daemon.connect()
        for step in 0..<120 {
            if random.chance(4) {
                let isOver = model.former != nil && random.chance(50)
                try end(daemon, random.chance(50) ? SIGKILL : SIGTERM)
                if isOver { try expire(folder) }
                // Starts that follow crashes are delayed.
                unlink(folder("starts"))
                daemon = try self.daemon(folder)
                client = try daemon.connect()
                model.restart(isOver: isOver)
            } else {
                let scene = random.pick(["shop", "checkout", "cleaning", "default", "nowhere"])
                let time = random.chance(50) ? random.pick([100_000, 604_800_000, 99, 604_800_001]) : nil
                let reply = try client.request(Self.set(scene, for: time))
                let isValid = scene != "nowhere" && ![99, 604_800_001].contains(time)
                #expect(reply.flag("ok") == isValid)
                if isValid { model.set(scene, isLimited: time != nil) }
            }
            #expect(try state(client) == model.text, "step \(step)")
        }
    }
}
