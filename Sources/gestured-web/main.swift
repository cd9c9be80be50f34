// SPDX-License-Identifier: MIT
import CLinux
import GestureWeb

exit(WebMain.run(Array(CommandLine.arguments.dropFirst())))
