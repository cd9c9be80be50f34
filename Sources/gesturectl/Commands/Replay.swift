// SPDX-License-Identifier: MIT
import ArgumentParser

struct Replay: ParsableCommand {
    func run() throws {}
}
