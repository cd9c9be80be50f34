// SPDX-License-Identifier: MIT
#if Web
import CLinux
import GestureWeb

exit(WebMain.run(Array(CommandLine.arguments.dropFirst())))
#else
import CLinux

// Without the trait SwiftPM builds this program all the same: it only says how to get a real one.
var message = "gestured-web: error: built without the trait Web; build it with: swift build --traits Web\n"
_ = message.withUTF8 { write(2, $0.baseAddress, $0.count) }
exit(64)
#endif
