// SPDX-License-Identifier: MIT
import CLinux
import GestureMQTT

exit(MQTTMain.run(Array(CommandLine.arguments.dropFirst())))
