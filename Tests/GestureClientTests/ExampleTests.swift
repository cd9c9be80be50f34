// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Swift client: the example")
struct ExampleTests {
    @Test("shows what is pressed, and opens what is tapped")
    func kiosk() throws {
        let bed = try ClientBed()
        let environment = ChildProcess.inherited.merging(["GESTURED_SOCKET": bed.path]) { $1 }
        let program = try ChildProcess(
            ["stdbuf", "-oL", BuildProducts.program("example-kiosk")], environment: environment)
        // It hears what comes once it has subscribed: fingers touch until it says something of it.
        var lines: Set<String> = []
        let expected: Set = ["open ok", "pressed: ok", "pressed: "]
        for _ in 1...200 where !lines.isSuperset(of: expected) {
            try bed.tap()
            while let line = program.output.next(within: 0.1) { lines.insert(line) }
        }
        #expect(lines == expected)
        #expect(program.isRunning)
    }
}
