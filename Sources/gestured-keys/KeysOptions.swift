// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureKeys
import GestureProtocol
import LinuxSystem

/// The command line. Its settings override those of the file.
struct KeysOptions: BridgeOptions {
    static let program = "gestured-keys"

    var action = ProgramAction.run
    var file: String?
    var socket: String?

    func read(_ option: CommandLineWords.Option, _ words: inout CommandLineWords) -> Bool { false }

    func applied(to settings: KeysSettings) -> KeysSettings {
        var result = settings
        if let socket { result.socket = socket }
        return result
    }

    static let help = """
        gestured-keys \(Version.number): presses keys, clicks and turns the wheel for gestures

        usage: gestured-keys [options]
          -c, --config FILE     read this file (\(KeysSettings.standardFile), if it exists)
              --socket PATH     the daemon's socket ($GESTURED_SOCKET, \(InstalledFiles.socket))
              --check           check the file and exit: 0, or 78 with errors
              --version         print the version and exit
          -h, --help            print this and exit

        SIGHUP reads the file again, SIGTERM ends the program.

        """
}
