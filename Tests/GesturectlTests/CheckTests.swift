// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Checking configurations")
struct CheckTests {
    private func run(_ configuration: String, _ options: String...) throws -> (outcome: Tool.Outcome, path: String) {
        let folder = try ScratchFolder()
        let path = try folder.write(configuration, to: "gestured.toml")
        return (try Tool.run(["check", path] + options), path)
    }

    static let good = """
        version = 1
        [[region]]
        id = "buy"
        shape = "full"
        gestures = ["press", { type = "tap", name = "once", wait = true }, "double_tap", "long_press", "swipe"]

        """

    @Test("a valid one shows how long each gesture takes to be decided")
    func good() throws {
        let (outcome, _) = try run(Self.good)
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                REGION  GESTURE     NAME        DECIDED
                buy     press       press       at the landing
                buy     tap         once        up to 300 ms after the lift
                buy     double_tap  double_tap  at the lift
                buy     long_press  long_press  500 ms after the landing
                buy     swipe       swipe       at the lift

                """)
        #expect(try run(Self.good, "--no-legend").outcome.output.hasPrefix("buy "))
        #expect(try run(Self.good, "--quiet").outcome.output.isEmpty)
    }

    @Test("prints all errors as compilers do, and ends with 78")
    func errors() throws {
        let (outcome, path) = try run(
            Self.good.replacing("\"full\"", with: "\"ful\"").replacing("wait =", with: "wiat ="))
        #expect(outcome.status == 78)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("\(path):4:9: error: ") })
        #expect(lines.contains { $0.hasPrefix("\(path):5:") && $0.contains("unknown key \"wiat\"") })
        #expect(lines.contains { $0.contains("^^^^") })
    }

    @Test("a missing file ends with 66")
    func missing() throws {
        let outcome = try Tool.run(["check", "/nonexistent.toml"])
        #expect(outcome.status == 66)
        #expect(outcome.errors == "gesturectl: /nonexistent.toml: No such file or directory\n")
    }
}
