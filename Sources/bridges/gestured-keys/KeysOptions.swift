// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureKeys
import LinuxSystem

/// The command line. Its settings override those of the file.
struct KeysOptions: BridgeOptions {
    typealias Settings = KeysSettings

    static let program = "gestured-keys"

    var action = ProgramAction.run
    var file: String?
    var socket: String?

    static let help = standardHelp("presses keys, clicks and turns the wheel for gestures")
}
