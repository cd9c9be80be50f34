// SPDX-License-Identifier: MIT
import ArgumentParser

struct Record: ParsableCommand {
    func run() throws {}
}
