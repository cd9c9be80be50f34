// SPDX-License-Identifier: MIT
import CLinux
import GestureTestSupport
import LinuxSystem
import Testing

@Suite("Jobs in a process of their own")
struct ChildJobTests {
    /// Limits that are high enough for a busy machine.
    private static let patient = ChildJob.Limits(memory: 64 << 20, milliseconds: 120_000, output: 1 << 20)

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// A job that runs a shell script in place of this program.
    private func job(_ script: String, _ limits: ChildJob.Limits = patient) throws -> ChildJob {
        let text = try folder.write("#!/bin/sh\n\(script)\n", to: "text")
        // Another process copies the file: if this process wrote it, a child of another test could inherit the
        // open descriptor, and the file could not be executed (ETXTBSY).
        let copied = try ChildProcess.run(["install", text, folder("program")])
        try #require(copied.status == 0)
        return ChildJob("name", limits, program: folder("program"))
    }

    private func outcome(_ script: String, _ limits: ChildJob.Limits = patient) throws -> ChildJob.Outcome {
        let result = try job(script, limits).run(try JobInput([]))
        #expect(result.output == [])
        return result.outcome
    }

    @Test("gets its name and its input, and returns its output")
    func output() throws {
        let input = try JobInput(Array("one ".utf8))
        let rest = Array("two".utf8)
        try rest.withUnsafeBytes { try input.append($0) }
        let result = try job("echo \"$*\"; cat").run(input)
        #expect(result.outcome == .done)
        #expect(String(decoding: result.output, as: UTF8.self) == "--job name\none two")
    }

    @Test("may transfer more than a pipe holds, in both directions")
    func large() throws {
        let bytes = [UInt8]((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let result = try job("exec cat").run(try JobInput(bytes))
        #expect(result.outcome == .done)
        #expect(result.output == bytes)
    }

    @Test("an endless allocation ends at its limit")
    func memory() throws {
        let outcome = try outcome("exec tail /dev/zero", .init(memory: 16 << 20, milliseconds: 120_000, output: 1))
        // If tail(1) cannot allocate memory, it prints an error and exits. Other programs are ended by a signal.
        #expect(outcome == .failed(status: 1) || outcome == .died(signal: SIGABRT))
    }

    @Test("an endless loop is ended at its time limit")
    func spins() throws {
        #expect(try outcome("while :; do :; done", .init(memory: 64 << 20, milliseconds: 300, output: 1)) == .outOfTime)
    }

    @Test("a hanging job is ended at its time limit, even without an output")
    func hangs() throws {
        let limits = ChildJob.Limits(memory: 64 << 20, milliseconds: 300, output: 1)
        #expect(try outcome("exec sleep 1000", limits) == .outOfTime)
        #expect(try outcome("exec >&-; exec sleep 1000", limits) == .outOfTime)
    }

    @Test("endless output is ended at its limit")
    func writes() throws {
        #expect(try outcome("exec yes") == .outputTooLarge)
    }

    @Test("the exit status and the signal are reported")
    func ends() throws {
        #expect(try outcome("echo something; exit 3") == .failed(status: 3))
        #expect(try outcome("kill -SEGV $$") == .died(signal: SIGSEGV))
        #expect(try outcome("kill -XCPU $$") == .outOfTime)
    }

    @Test(
        "a missing program is an error",
        .enabled(
            if: getenv("GESTURED_SANITIZER").map { String(cString: $0) } != "thread",
            "with ThreadSanitizer, a child cannot tell its parent why it did not start"))
    func noProgram() throws {
        let result = ChildJob("name", Self.patient, program: folder("missing")).run(try JobInput([]))
        guard case .notStarted(let error) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(error.code == ENOENT)
    }

    @Test("is stopped when its client disconnects, and when its output is not read")
    func stopped() throws {
        let pipe = try TestPipe()
        pipe.closeWriter()
        #expect(try job("exec sleep 1000").run(try JobInput([]), stop: pipe.reader).outcome == .stopped)
        var pieces = 0
        let outcome = try job("exec yes").run(try JobInput([])) { piece in
            pieces += 1
            return pieces < 2
        }
        #expect(outcome == .stopped)
        #expect(pieces == 2)
    }

    @Test("is gone when its outcome is reported, and has no descriptor of this process")
    func leavesNothing() throws {
        // Unlike other descriptors, this one is not closed on exec.
        let inherited = dup(0)
        defer { close(inherited) }
        let result = try job("echo $$; test -e /proc/$$/fd/\(inherited); echo $?; cat /proc/$$/oom_score_adj")
            .run(try JobInput([]))
        #expect(result.outcome == .done)
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        let process = try #require(lines.first.flatMap { pid_t($0) })
        #expect(kill(process, 0) == -1 && linux_errno() == ESRCH)
        #expect(lines.dropFirst() == ["1", "1000"])
    }

    @Test("a command line with a job names it")
    func commandLine() {
        #expect(JobProgram.name(in: ["--job", "check"]) == "check")
        #expect(JobProgram.name(in: ["--job"]) == nil)
        #expect(JobProgram.name(in: ["--job", "check", "more"]) == "check")
        #expect(JobProgram.arguments(in: ["--job", "check", "more", "x"]) == ["more", "x"])
        #expect(JobProgram.name(in: ["--check", "check"]) == nil)
    }
}
