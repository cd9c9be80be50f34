// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import LinuxSystem

/// The command line. Its settings override those of the file.
struct MQTTOptions: BridgeOptions {
    typealias Settings = MQTTSettings

    static let program = "gestured-mqtt"

    var action = ProgramAction.run
    var file: String?
    var socket: String?

    static let help = standardHelp("sends gestures and the panel's health to an MQTT broker")
}
#endif
