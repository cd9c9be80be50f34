// SPDX-License-Identifier: MIT
#if Web
import CLinux
import GestureWeb

exit(WebMain.run(Array(CommandLine.arguments.dropFirst())))
#else
import CLinux

// SwiftPM builds this program even without the trait, so it only prints how to build the real one.
var message = "gestured-web: error: built without the trait Web; build it with: swift build --traits Web\n"
_ = message.withUTF8 { write(2, $0.baseAddress, $0.count) }
exit(64)
#endif
