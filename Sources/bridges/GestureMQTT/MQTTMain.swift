// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import CLinux
import LinuxSystem

/// The entry point of the program `gestured-mqtt`.
package enum MQTTMain {
    /// - Parameter arguments: the arguments without the program's name.
    package static func run(_ arguments: [String]) -> CInt {
        if JobProgram.name(in: arguments) == ConfigCheck.name { return JobProgram.run { ConfigCheck.run($0) } }
        return MQTTOptions.run(arguments) { options, settings in
            // With these settings, memory that libmosquitto and SQLite free is returned to the kernel.
            linux_share_heap()
            linux_map_large_memory()
            return BridgeLoop<MQTTOptions, Service>.run(options, settings)
        }
    }
}
#endif
