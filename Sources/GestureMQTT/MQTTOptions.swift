// SPDX-License-Identifier: MIT
import GestureMQTTSettings
import GestureProtocol
import LinuxSystem

/// The command line. Its settings take precedence over the file's.
struct MQTTOptions: Hashable {
    enum Action: Hashable { case run, check, version, help }

    var action = Action.run
    /// `-c`; `nil`: the standard file, which may be missing.
    var file: String?
    var socket: String?

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environmentSocket: `$GESTURED_SOCKET`.
    init(_ arguments: [String], environmentSocket: String? = nil) throws(UsageError) {
        if let environmentSocket, !environmentSocket.isEmpty { socket = environmentSocket }
        var words = CommandLineWords(arguments)
        while let option = words.next() {
            switch option.name {
            case "-c", "--config": file = try words.value(of: option)
            case "--socket": socket = try words.value(of: option)
            case "--check": action = try words.flag(option, .check)
            case "--version": action = try words.flag(option, .version)
            case "-h", "--help": action = try words.flag(option, .help)
            default: throw option.unknown(to: "gestured-mqtt")
            }
        }
    }

    /// These settings with what the command line sets.
    func applied(to settings: MQTTSettings) -> MQTTSettings {
        var result = settings
        if let socket { result.socket = socket }
        return result
    }

    static let help = """
        gestured-mqtt \(Version.number): sends gestures and the panel's health to an MQTT broker

        usage: gestured-mqtt [options]
          -c, --config FILE     read this file (\(MQTTSettings.standardFile), if it is there)
              --socket PATH     the daemon's socket ($GESTURED_SOCKET, /run/gestured/gestured.sock)
              --check           check the file and exit: 0, or 78 with errors
              --version         print the version and exit
          -h, --help            print this and exit

        SIGHUP reads the file again, SIGTERM ends the program.

        """
}
