// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Files of gesturectl calibrate")
struct CalibrateWritingTests {
    /// A daemon whose configuration has no `[[device]]`.
    private static func unnamed(
        id: String = "event0", prepare: (FakePanel) throws -> Void = { try $0.add() }
    ) throws -> CalibrateTests {
        try CalibrateTests("version = 1\n" + CalibrateTests.region, id: id, pixels: (4096, 4096), prepare: prepare)
    }

    private func files(_ tests: CalibrateTests) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tests.folder("conf.d"))
    }

    private func text(_ tests: CalibrateTests, _ file: String) throws -> String {
        try String(contentsOfFile: tests.folder("conf.d/\(file)"), encoding: .utf8)
    }

    @Test("a panel without a [[device]] is calibrated again")
    func twice() throws {
        let tests = try Self.unnamed()
        for id in 1...2 {
            let tool = try tests.start("--write")
            try tests.touchAll(tool)
            #expect(try tool.waitForExit() == .exited(0))
            #expect(!tool.output.transcript.contains { $0.contains("another calibration") })
            let written = try text(tests, #require(files(tests).first))
            #expect(written.contains(#"match = { name = "Fake Panel", path = "platform-fake-i2c" }"#), "\(written)")
            let check = try Tool.run(
                ["check", "-c", tests.folder("gestured.toml"), "--conf-dir", tests.folder("conf.d")])
            #expect(check.status == 0, "\(check.errors)")
            #expect(try tests.client.request(#"{"cmd":"reload","id":\#(id)}"#).flag("ok") == true)
        }
        #expect(try files(tests).count == 1)
        #expect(try tests.run("--reset").status == 0)
        #expect(try files(tests).isEmpty)
    }

    /// A daemon with these two panels without a `[[device]]`.
    private func pair(_ names: [String], _ properties: String = "") throws -> CalibrateTests {
        try Self.unnamed(id: "event1") { panel in
            try panel.commands(properties)
            for (node, name) in names.enumerated() {
                try panel.command("name \(name)")
                try panel.add(node)
            }
        }
    }

    @Test("the files of a panel without a [[device]] are its own even as another node")
    func otherNode() throws {
        let first = try pair(["Left", "Right (2)"])
        let rules = first.folder("a.rules")
        let tool = try first.start("event1", "--write", "--udev", rules)
        try first.panel.command("select 1")
        try first.touchAll(tool)
        #expect(try tool.waitForExit() == .exited(0))
        let (file, written) = (try #require(files(first).first), try text(first, #require(files(first).first)))
        let name = try #require(file.wholeMatch(of: /90-calibration-(right-2-[0-9a-f]+)\.toml/)).1
        #expect(String(name) == id(in: written))
        #expect(tool.output.transcript.contains { $0.contains("after the reload, the panel has the id right-2-") })

        let second = try pair(["Right (2)", "Left"])
        try second.folder.write(written, to: "conf.d/\(file)")
        #expect(try second.client.request(#"{"cmd":"reload","id":1}"#).flag("ok") == true)
        let devices = try second.client.request(#"{"cmd":"devices","id":2}"#).objects("devices")
        #expect(Set(devices.compactMap { $0["device"] }) == [try #require(id(in: written)), "event1"])
        let other = try second.start("event1", "--write")
        try second.panel.command("select 1")
        try second.touchAll(other)
        #expect(try other.waitForExit() == .exited(0))
        #expect(try files(second).count == 2 && text(second, file) == written)
        #expect(try second.run("--reset", "event0").status == 0)
        #expect(try files(second).count == 1 && !files(second).contains(file))
    }

    private func id(in text: String) -> String? { text.firstMatch(of: /\nid = "(.*)"\n/).map { String($0.1) } }

    @Test("a panel whose id changes keeps its rotation")
    func turned() throws {
        let tests = try Self.unnamed()
        let request = #"{"cmd":"set_output","id":2,"device":"event0","rotation":"flipped-90"}"#
        #expect(try tests.client.request(request).flag("ok") == true)
        let tool = try tests.start("--write")
        try tests.touchAll(tool)
        #expect(try tool.waitForExit() == .exited(0))
        let last = try #require(tool.output.transcript.last)
        let id = try #require(last.firstMatch(of: /the panel has the id (fake-panel-.*)$/)?.1, "\(last)")
        #expect(try tests.client.request(#"{"cmd":"reload","id":3}"#).flag("ok") == true)
        let device = try #require(tests.client.request(#"{"cmd":"devices","id":4}"#).objects("devices").first)
        #expect(device["device"] == String(id))
        let output = try #require(device.object("output"))
        #expect(output.number("rotation") == 90 && output.flag("flipped") == true)
    }

    @Test("what was touched is kept until it is written")
    func last() throws {
        let tests = try CalibrateTests()
        #expect(try tests.run("--write", "--last").errors.contains("no last touches of \"panel\""))
        let tool = try tests.start()
        try tests.touchAll(tool)
        #expect(try tool.waitForExit() == .exited(0))
        let key = try #require(tool.output.transcript.first { $0.hasPrefix("calibration = ") })
        #expect(tool.output.transcript.contains { $0.hasSuffix("pass --write or --udev with --last") })
        let rules = tests.folder("panel.rules")
        let written = try tests.run("--write", "--udev", rules, "--last")
        #expect(written.status == 0, "\(written.errors)")
        #expect(try text(tests, "90-calibration-panel.toml").hasSuffix("[[device]]\nid = \"panel\"\n\(key)\n"))
        #expect(
            try written.output.hasSuffix(
                String(contentsOfFile: rules, encoding: .utf8).split(separator: "\n")[1] + "\n"))

        for bad in [
            "", "calibration = [1]\n1 2 3\n", "\(key)\n0 0 0 0 0 0\n", "\(key)\n1 0 0 0 1 0\"\n",
            "\(key)\n1 0 0 0 1 0\nx\n",
        ] {
            try tests.folder.write(bad, to: "state/gestured/calibration-panel")
            #expect(try tests.run("--write", "--last").status == 66, "\(bad)")
        }
    }

    @Test("panels that cannot be distinguished share no file")
    func same() throws {
        let tests = try pair(["Twin", "Twin"], "property ID_PATH=")
        let tool = try tests.run("event1", "--write")
        #expect(tool.status == 64)
        #expect(
            tool.errors.contains(#""event1" and "event0" have the same name and no ID_PATH in udev"#), "\(tool.errors)")
    }

    @Test("nothing is written if the configuration would have errors")
    func errors() throws {
        let tests = try CalibrateTests()
        let rules = tests.folder("panel.rules")
        let tool = try tests.start("--write", "--udev", rules)
        for number in 1...4 { try tests.touch(tests.target(of: tool, "touch target \(number) of 5")) }
        let last = try tests.target(of: tool, "touch target 5 of 5")
        try tests.folder.write("region = 1\n", to: "conf.d/60-broken.toml")
        try tests.touch(last)
        #expect(try tool.waitForExit() == .exited(78))
        let said = tool.output.transcript.joined(separator: "\n")
        #expect(said.contains("60-broken.toml:1:"), "\(said)")
        #expect(said.contains("90-calibration-panel.toml; nothing was written"), "\(said)")
        #expect(try files(tests) == ["60-broken.toml"])
        #expect(!FileManager.default.fileExists(atPath: rules))
    }
}
