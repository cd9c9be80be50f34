// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Runs `scripts/long release` with a stub of `make`.
@Suite("scripts/long release")
struct LongTests {
    private func run(_ parts: String) throws -> (status: Int32, output: String) {
        let folder = try ScratchFolder()
        let stub = try folder.write(
            "#!/bin/sh\necho stub \"$@\"\nread line && exit 2\n[ \"$1\" != bench ]\n", to: "make")
        return try Shell.run(
            "chmod +x \(stub) && scripts/long release \(parts) && cat $LOGS/*.log",
            ["PATH": folder(".") + ":/usr/bin:/bin", "LOGS": folder("logs")])
    }

    @Test("runs parts in the given order, and says how long each took")
    func order() throws {
        let outcome = try run("test-deb deb")
        #expect(outcome.status == 0, "\(outcome.output)")
        let rows = outcome.output.matches(of: #/(?m)^([\w-]+) +(ok|FAILED) +\d+ s, processors +\d+ s$/#).map {
            "\($0.1) \($0.2)"
        }
        #expect(rows == ["test-deb ok", "deb ok"])
        #expect(outcome.output.hasSuffix("stub deb CHECK=lintian\nstub test-deb\n"))
    }

    @Test("goes on after a failure, and names the parts to repeat")
    func failure() throws {
        let outcome = try run("bench deb")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("\nstub bench\n"))
        #expect(outcome.output.contains(#/\nbench +FAILED +\d+ s, .*\ndeb +ok +\d+ s, .*\n/#))
        #expect(outcome.output.hasSuffix("failed: bench; to run them again: scripts/long release bench\n"))
    }

    @Test("goes on with what has not passed in this state of the files")
    func goesOn() throws {
        let folder = try ScratchFolder()
        try folder.stub("make", #"echo "$1" >>$LOGS/runs; [ "$1" != bench ] || [ -e $LOGS/mended ]"#)
        let release = "scripts/long release continue test-deb bench deb"
        let others = "sed -i 's/^[0-9a-f]*/0/' $LOGS/passed"
        let outcome = try Shell.run(
            "\(release); touch $LOGS/mended; \(release); \(others); \(release); cat $LOGS/runs",
            ["PATH": folder(".") + ":/usr/bin:/bin", "LOGS": folder("logs")])
        let runs = ["test-deb", "bench", "deb"] + ["bench"] + ["test-deb", "bench", "deb"]
        #expect(outcome.output.hasSuffix("s\n" + runs.map { $0 + "\n" }.joined()), "\(outcome.output)")
        let rows = #/\ntest-deb +ok .*\(before\)\nbench +ok .*s\ndeb +ok .*\(before\)\n/#
        #expect(outcome.output.matches(of: rows).count == 1)
    }

    @Test("refuses an unknown part before it runs any")
    func unknown() throws {
        let outcome = try run("bench bensh")
        #expect(outcome.status == 64)
        #expect(outcome.output.hasPrefix("long: error: no part \"bensh\"; there are: "))
    }

    @Test("includes every test of scripts/long, and everything in docs/testing.md that .ci/run leaves out")
    func complete() throws {
        let script = try #require(Document("scripts/long")).text
        let table = try #require(script.firstMatch(of: #/(?s)\nRELEASE=\(\n(.*?)\n\)/#)).1
        let parts = table.split(separator: "\n").map { $0.trimmingCharacters(in: ["\"", " "]) + " " }
        let tests = script.matches(of: #/(?m)^  ([a-z-]+)\)/#).map { String($0.1) }.filter { $0 != "release" }
        #expect(tests.count > 5)
        let rows = try #require(Document("docs/testing.md")).text.matches(of: #/(?m)^\|.*\|([^|]*)\|$/#)
        let command = #/`((?:make|scripts|Tests/(?!Benchmarks))[^`]*)`/#
        let named = rows.flatMap { $0.1.matches(of: command).map { String($0.1) } }
        #expect(named.count > 20)
        let loop = try #require(Document(".ci/run")).text.firstMatch(of: #/for target in (.*); do/#)
        let daily = try #require(loop).1.split(separator: " ").map { "make \($0)" }
        for command in tests.map({ "scripts/long \($0)" }) + named where !daily.contains(command) {
            #expect(parts.contains { $0.contains(" \(command) ") }, "\(command)")
        }
    }
}
