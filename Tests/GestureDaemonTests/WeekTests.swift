// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: a simulated week")
struct WeekTests {
    /// This test simulates 2000 touches; `scripts/long week` simulates a million.
    @Test("every counter is right, and nothing is left behind, whatever is done to the clocks")
    func week() throws {
        var variables = ChildProcess.inherited
        if let sanitizer = getenv("GESTURED_SANITIZER") { variables["GESTURED_SANITIZER"] = String(cString: sanitizer) }
        let result = try ChildProcess.run(
            [
                BuildProducts.root + "/Tests/Benchmarks/week", BuildProducts.program("gestured"),
                BuildProducts.fakePanel(),
                BuildProducts.fakeMachine(), "2000",
            ], environment: variables)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
