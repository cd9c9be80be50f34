// SPDX-License-Identifier: MIT
import CLinux
import GestureDaemon

exit(DaemonMain.run(Array(CommandLine.arguments.dropFirst())))
