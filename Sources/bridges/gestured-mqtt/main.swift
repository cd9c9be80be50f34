// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import GestureMQTT

exit(MQTTMain.run(Array(CommandLine.arguments.dropFirst())))
#else
import CLinux

// SwiftPM builds this program even without the trait, so it only prints how to build the real one.
var message = "gestured-mqtt: error: built without the trait MQTT; build it with: swift build --traits MQTT\n"
_ = message.withUTF8 { write(2, $0.baseAddress, $0.count) }
exit(64)
#endif
