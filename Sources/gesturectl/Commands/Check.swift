// SPDX-License-Identifier: MIT
import ArgumentParser

struct Check: ParsableCommand {
    func run() throws {}
}
