// SPDX-License-Identifier: MIT
import Glibc
import GestureServerHarness

// Plays runs of clients against a server until the requested number of steps is reached or a run finds a violation.
let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard (1...2).contains(arguments.count), let steps = arguments[0], let first = arguments.count == 1 ? 1 : arguments[1]
else {
    print("usage: fuzz-clients STEPS [SEED OF THE FIRST RUN]")
    exit(64)
}
let runs = (steps + UInt64(ClientListRun.steps) - 1) / UInt64(ClientListRun.steps)
let start = ContinuousClock.now

func show(_ text: String) {
    print(text)
    // The output is flushed so that a pipe receives the line immediately.
    fflush(nil)
}

for run in 0..<runs {
    do {
        try ClientListRun.play(seed: first &+ run)
    } catch {
        show("seed \(first &+ run): \(error)")
        exit(1)
    }
    guard (run + 1) % 100 == 0 || run + 1 == runs else { continue }
    show("\((run + 1) * UInt64(ClientListRun.steps)) steps, \((ContinuousClock.now - start).components.seconds) s")
}
print("nothing found")
