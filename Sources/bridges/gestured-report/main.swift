// SPDX-License-Identifier: MIT
import CLinux
import GestureReport

exit(ReportMain.run(Array(CommandLine.arguments.dropFirst())))
