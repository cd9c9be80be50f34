// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureProtocol
import LinuxSystem

/// The command line. Its settings override those of the file.
struct MQTTOptions: BridgeOptions {
    static let program = "gestured-mqtt"

    var action = ProgramAction.run
    var file: String?
    var socket: String?

    func read(_ option: CommandLineWords.Option, _ words: inout CommandLineWords) -> Bool { false }

    func applied(to settings: MQTTSettings) -> MQTTSettings {
        var result = settings
        if let socket { result.socket = socket }
        return result
    }

    static let help = """
        gestured-mqtt \(Version.number): sends gestures and the panel's health to an MQTT broker

        usage: gestured-mqtt [options]
          -c, --config FILE     read this file (\(MQTTSettings.standardFile), if it exists)
              --socket PATH     the daemon's socket ($GESTURED_SOCKET, \(InstalledFiles.socket))
              --check           check the file and exit: 0, or 78 with errors
              --version         print the version and exit
          -h, --help            print this and exit

        SIGHUP reads the file again, SIGTERM ends the program.

        """
}
#endif
