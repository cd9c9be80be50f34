// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import Foundation
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureMQTT

@Suite("gestured-mqtt's command line")
struct OptionsTests {
    @Test("takes precedence, and its mistakes are named")
    func commandLine() throws {
        let options = try MQTTOptions(["-c", "m.toml", "--socket=/t"], environmentSocket: "/s")
        #expect(options.file == "m.toml" && options.applied(to: MQTTSettings()).socket == "/t")
        #expect(try MQTTOptions([], environmentSocket: "/s").applied(to: MQTTSettings()).socket == "/s")
        #expect(try MQTTOptions([]).applied(to: MQTTSettings()) == MQTTSettings())
        for (arguments, message) in [
            (["--check=yes"], "option --check takes no value"), (["--socket"], "option --socket needs a value"),
            (["--sockt"], "unknown option \"--sockt\"; gestured-mqtt --help lists the options"),
        ] {
            #expect(throws: UsageError(message: message)) { _ = try MQTTOptions(arguments) }
        }
    }

    @Test("gestured-mqtt(8) has the options of the help")
    func manual() throws {
        let page = try String(contentsOfFile: BuildProducts.root + "/docs/man/gestured-mqtt.8", encoding: .utf8)
        let options = MQTTOptions.help.split { " ,\n".contains($0) }.filter { $0.hasPrefix("--") }
        #expect(options.count == 5)
        for option in options { #expect(page.contains("Fl -\(option.dropFirst(2))"), "\(option)") }
    }
}
#endif
