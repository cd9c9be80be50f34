// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import GestureMQTT

exit(MQTTMain.run(Array(CommandLine.arguments.dropFirst())))
#else
import CLinux

// Without the trait SwiftPM builds this program all the same: it only says how to get a real one.
var message = "gestured-mqtt: error: built without the trait MQTT; build it with: swift build --traits MQTT\n"
_ = message.withUTF8 { write(2, $0.baseAddress, $0.count) }
exit(64)
#endif
