// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Replaying touches that wake the display")
struct ReplayWakeTests {
    private static let configuration =
        panelTable()
            + """
            wake = { display = "/nowhere" }
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["tap"]
            [[scene]]
            id = "night"
            regions = ["*"]
            dark = true
            [[scene]]
            id = "day"
            regions = ["*"]
            [[idle]]
            id = "dim"
            after = "2s"
            scene = "night"

            """

    /// Replays a tap at each of these seconds.
    private func run(_ words: String..., taps: [Int], configuration: String = configuration) throws -> [String] {
        let folder = try ScratchFolder()
        let file = try folder.write(configuration, to: "gestured.toml")
        let events = taps.map { ReplayTests.tap.replacingOccurrences(of: "E: 5.", with: "E: \($0).") }
        let recording = ReplayTests.header + events.joined()
        let outcome = try Tool.run(words + ["-", "--config", file], input: Data(recording.utf8))
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// The kinds of the lines of `replay`, with the reason.
    private func kinds(_ lines: [String]) -> [String] {
        lines.map { line in
            let json = JSONLine(line)
            return [json?["event"], json?["reason"]].compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test("the display is on, except in a dark scene")
    func scenes() throws {
        #expect(try kinds(run("replay", taps: [5])) == ["gesture", "idle"])
        #expect(try kinds(run("replay", "--scene", "day", taps: [5])) == ["gesture", "idle"])
        #expect(try kinds(run("replay", "--scene", "night", taps: [5])) == ["wake scene", "idle"])
        // A touch within the guard time does nothing either.
        #expect(try kinds(run("replay", "--scene", "night", taps: [5, 5])) == ["wake scene", "idle"])
        #expect(try run("replay", "--scene", "night", "--events", "gesture", taps: [5]).isEmpty)
    }

    @Test("a scene of an idle time is dark until the first touch")
    func idle() throws {
        let lines = try kinds(run("replay", taps: [5, 9, 10]))
        #expect(lines == ["gesture", "idle", "idle touch", "wake scene", "gesture", "idle"])
        let without = Self.configuration.replacing("wake = ", with: "# wake = ")
        #expect(
            try kinds(run("replay", taps: [5, 9], configuration: without))
                == ["gesture", "idle", "idle touch", "gesture", "idle"])
    }

    @Test("explain names the key that hides them")
    func explain() throws {
        let lines = try run("explain", "--scene", "night", taps: [5])
        #expect(lines.contains { $0.hasSuffix(": scene \"night\" is dark, see wake in [[device]]") }, "\(lines)")
        #expect(try !run("explain", taps: [5]).contains { $0.contains("wake") })
        let json = try run("explain", "--scene", "night", "--json", taps: [5])
        #expect(json.contains { $0.contains(#""filter":"wake","reason":"scene","scene":"night","#) }, "\(json)")
        // The scene of an idle time.
        let idle = try run("explain", taps: [5, 9])
        #expect(idle.contains { $0.hasSuffix(": scene \"night\" is dark, see wake in [[device]]") }, "\(idle)")
        // A second dark scene may be the one that an idle time has chosen.
        let two = Self.configuration.replacing("[[idle]]", with: "dark = true\n[[idle]]")
        let unknown = try run("explain", "--scene", "night", taps: [5], configuration: two)
        #expect(unknown.contains { $0.hasSuffix(": the scene is dark, see wake in [[device]]") }, "\(unknown)")
        let later = try run("explain", "--scene", "night", taps: [5, 5])
        let text = ": the touch that woke the display was not over, see guard of wake in [[device]]"
        #expect(later.contains { $0.hasSuffix(text) }, "\(later)")
    }
}
