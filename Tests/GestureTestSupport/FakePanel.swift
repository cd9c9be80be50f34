// SPDX-License-Identifier: MIT

/// Touch panels without hardware: `Tests/FakePanel`, whose commands it takes (see `fakepanel --help`).
///
/// Programs see the panels when they run with `environment`. They must have ended before this is gone.
package final class FakePanel {
    private let program: ChildProcess
    private let root: String
    private let folder: ScratchFolder

    /// - Parameter folder: where the fake `/dev` and `/sys` are made.
    package init(in folder: ScratchFolder) throws {
        self.folder = folder
        var environment = ChildProcess.inherited
        environment["TMPDIR"] = folder.path
        program = try ChildProcess([BuildProducts.fakePanel()], environment: environment)
        let first = try program.output.wait(for: "ROOT") { $0.hasPrefix("ROOT ") }
        root = String(first.dropFirst("ROOT ".count))
    }

    /// It takes its own folders away, before `folder` goes.
    deinit {
        program.closeInput()
        _ = try? program.waitForExit()
    }

    /// What makes a program see the panels.
    package var environment: [String: String] {
        ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": root]
    }

    /// Gives a command, and returns its answer when it has been done.
    @discardableResult
    package func command(_ text: String) throws -> String {
        try program.send(text)
        let answer = try program.output.wait(for: "answer to \"\(text)\"") {
            $0.hasPrefix("OK ") || $0.hasPrefix("ERROR ")
        }
        guard answer.hasPrefix("OK ") else { throw TestFailure("fake panel: \(text): \(answer)") }
        return answer
    }

    /// Several commands, one a line.
    package func commands(_ text: String) throws {
        for line in text.split(separator: "\n") { try command(String(line)) }
    }

    /// Plugs a panel in, as `eventN`.
    package func add(_ number: Int = 0) throws { try command("add \(number)") }
    /// Unplugs it.
    package func remove(_ number: Int = 0) throws { try command("remove \(number)") }

    /// Unplugs it, and udev does not tell.
    package func vanish(_ number: Int = 0) throws { try command("vanish \(number)") }

    /// Whether a program has the panel alone (`EVIOCGRAB`).
    package var isGrabbed: Bool { get throws { try command("state").contains("grab=1") } }

    /// The panel's clock now, in microseconds: where the times of `at` begin.
    package func now() throws -> Int64 {
        let answer = try command("state")
        guard let now = answer.split(separator: "=").last.flatMap({ Int64($0) }) else {
            throw TestFailure("fake panel: \(answer)")
        }
        return now
    }

    /// The time of the frames that follow; `nil`: when they are written.
    ///
    /// Times in the past make a test exact without waiting: the daemon goes by the frames' times.
    package func at(_ microseconds: Int64?) throws { try command("at \(microseconds ?? 0)") }

    /// A finger lands in a slot, in a frame of its own.
    package func land(_ slot: Int = 0, id: Int, x: Int, y: Int) throws {
        try command("frame 3 47 \(slot) 3 57 \(id) 3 53 \(x) 3 54 \(y) 1 330 1")
    }

    package func move(_ slot: Int = 0, x: Int, y: Int) throws {
        try command("frame 3 47 \(slot) 3 53 \(x) 3 54 \(y)")
    }

    /// The last finger lifts.
    package func lift(_ slot: Int = 0) throws { try command("frame 3 47 \(slot) 3 57 -1 1 330 0") }
}
