// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Swift client: the example")
struct ExampleTests {
    @Test("shows pressed buttons and opens tapped ones")
    func kiosk() throws {
        let harness = try ClientHarness()
        let environment = ChildProcess.inherited.merging(["GESTURED_SOCKET": harness.path]) { $1 }
        let program = try ChildProcess(
            ["stdbuf", "-oL", BuildProducts.program("example-kiosk")], environment: environment)
        // The example receives events only after it has subscribed, so the test taps until the expected lines
        // are printed.
        var lines: Set<String> = []
        let expected: Set = ["open ok", "pressed: ok", "pressed: "]
        for _ in 1...200 where !lines.isSuperset(of: expected) {
            try harness.tap()
            while let line = program.output.next(within: 0.1) { lines.insert(line) }
        }
        #expect(lines == expected)
        #expect(program.isRunning)
    }
}
