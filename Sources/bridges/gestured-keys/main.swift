// SPDX-License-Identifier: MIT
import BridgeProgram
import CLinux

exit(KeysOptions.run(Array(CommandLine.arguments.dropFirst())) { BridgeLoop<KeysOptions, KeysService>.run($0, $1) })
