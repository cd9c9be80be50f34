// SPDX-License-Identifier: MIT
import GestureTestSupport
import LinuxSystem
import Testing

@testable import BridgeProgram

/// The options of a bridge that uses the settings of gestured-mqtt.
private struct Options: BridgeOptions {
    typealias Settings = MQTTSettings

    static let program = "bridge"
    static let help = ""

    var action = ProgramAction.run
    var file: String?
    var socket: String?
}

@Suite("Starting a bridge")
struct BridgeOptionsTests {
    @Test(
        "A check exits with 0, or with 78 for errors, and serves nothing",
        arguments: [("version = 1", 0), ("version = 1\n[broker]\npassword_file = \"/x\"", 78), ("", 78)]
            as [(String, CInt)]
    )
    func check(text: String, status: CInt) throws {
        let folder = try ScratchFolder()
        try folder.write(text, to: "bridge.toml")
        let result = Options.run(["--check", "-c", folder.path + "/bridge.toml"]) { _, _ in 1 }
        #expect(result == status)
    }

    @Test("The command line takes precedence over the file")
    func precedence() throws {
        let folder = try ScratchFolder()
        try folder.write("version = 1\nsocket = \"/of-file\"\nprefix = \"of-file\"", to: "bridge.toml")
        let settings = try Options(["-c", folder.path + "/bridge.toml", "--socket", "/of-line"]).settings()
        #expect(settings?.socket == "/of-line" && settings?.prefix == "of-file")
        #expect(try Options(["-c", folder.path + "/missing.toml"]).settings() == nil)
    }
}
