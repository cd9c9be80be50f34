// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import Testing

@testable import gesturectl

/// The steps that `exec --step` counts, on a panel of 0.1 mm for each pixel across, and 0.2 mm down.
@Suite("Steps of movements")
struct MovementStepsTests {
    private func counter(_ size: String) throws -> MovementSteps {
        var steps = MovementSteps(of: try #require(StepSize(argument: size)))
        let devices = try #require(
            JSONValue(
                parsing: Array(
                    #"{"devices":[{"device":"p","state":"ready","output":{"width":1000,"height":500,"width_mm":100.0,"height_mm":100.0,"rotation":0,"corners":[]}},{"device":"q","state":"refused"}]}"#
                        .utf8)))
        steps.take(panels: GestureClient.Device.all(in: devices))
        return steps
    }

    private func gesture(_ phase: String, _ members: String, sequence: Int = 1) throws -> GestureClient.Gesture {
        let line =
            #"{"event":"gesture","gesture":"x","name":"x","phase":"\#(phase)","region":"r","device":"p","sequence":\#(sequence),\#(members)}"#
        return GestureClient.Gesture(try #require(JSONValue(parsing: Array(line.utf8)), "\(line)"))
    }

    /// Counts the lines of one gesture that has begun.
    private func count(_ size: String, _ lines: [String]) throws -> [Int] {
        var steps = try counter(size)
        return try lines.enumerated().map { number, members in
            steps.steps(of: try gesture(number == 0 ? "begin" : "update", members))
        }
    }

    @Test(
        "right and up are positive, a step back begins a quarter of a step before its end, and the first step decides the axis",
        arguments: [
            ([(0, 0), (49, 0), (50, 0), (49, 0), (37, 0), (149, 0), (-50, 0)], [0, 0, 1, 0, -1, 2, -3]),
            ([(0, 0), (0, -24), (0, -25), (300, -50), (0, 30)], [0, 0, 1, 1, -3]),
            ([(60, 0), (0, 0)], [1, -1]),
        ])
    func drags(points: [(Int, Int)], expected: [Int]) throws {
        #expect(try count("5mm", points.map { #""dx":\#($0.0).0,"dy":\#($0.1).0"# }) == expected)
    }

    @Test("degrees are those of the turn, also the ones before it begins, and not the steps of the dial")
    func dials() throws {
        let turns = [#""rotation":31.0,"steps":9"#, #""rotation":46.0,"steps":12"#, #""rotation":-20.0,"steps":-5"#]
        #expect(try count("15deg", turns) == [2, 1, -4])
        #expect(try count("15deg", [#""dx":900.0,"dy":0.0"#]) == [0])
        #expect(try count("5mm", turns) == [0, 0, 0])
    }

    @Test("a movement whose begin was lost counts from where it was seen first, and each gesture counts apart")
    func parts() throws {
        var steps = try counter("5mm")
        #expect(steps.steps(of: try gesture("update", #""dx":900.0,"dy":0.0"#)) == 0)
        #expect(steps.steps(of: try gesture("update", #""dx":960.0,"dy":0.0"#)) == 1)
        #expect(steps.steps(of: try gesture("begin", #""dx":0.0,"dy":0.0"#, sequence: 2)) == 0)
        #expect(steps.steps(of: try gesture("update", #""dx":1010.0,"dy":0.0"#)) == 1)
        steps.forget()
        #expect(steps.steps(of: try gesture("end", #""dx":100.0,"dy":0.0"#)) == 0)
        #expect(steps.steps(of: try gesture("begin", #""dx":0.0,"dy":0.0"#)) == 0)
        #expect(steps.steps(of: try gesture("cancel", #""dx":100.0,"dy":0.0"#)) == 0)
        #expect(steps.steps(of: try gesture("update", #""dx":200.0,"dy":0.0"#)) == 0)
        #expect(steps.steps(of: try gesture("update", #""dx":1e300,"dy":0.0"#)) == 1_000_000_000)
    }

    @Test("a step needs a unit and a plausible size")
    func sizes() {
        for text in ["5", "mm", "0mm", "-5mm", "nanmm", "infdeg", "1e9mm", "5px", "", "5 mm"] {
            #expect(StepSize(argument: text) == nil, "\(text)")
        }
        #expect(StepSize(argument: "0.5deg")?.unit == .degrees)
    }
}
