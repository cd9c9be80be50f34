// SPDX-License-Identifier: MIT
import Foundation

/// Simulates touch panels with the program `Tests/Tools/FakePanel` (`fakepanel --help` lists its commands).
///
/// Programs that run with `environment` see the panels. They must exit before this object is deinitialized.
package final class FakePanel {
    private let program: ChildProcess
    private let root: String
    private let folder: ScratchFolder

    /// - Parameter folder: the folder for the fake `/dev` and `/sys`.
    package init(in folder: ScratchFolder) throws {
        self.folder = folder
        var environment = ChildProcess.inherited
        environment["TMPDIR"] = folder.path
        program = try ChildProcess([BuildProducts.fakePanel()], environment: environment)
        let first = try program.output.wait(for: "ROOT") { $0.hasPrefix("ROOT ") }
        root = String(first.dropFirst("ROOT ".count))
    }

    /// Waits until the program has removed its own folders, because `folder` is removed afterwards.
    deinit {
        program.closeInput()
        _ = try? program.waitForExit()
    }

    /// The environment variables that a program needs to see the panels.
    package var environment: [String: String] {
        ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": root]
    }

    /// Adds a device of a display, such as `card0-DSI-1` of the subsystem `drm`, or reports that it has changed.
    package func plugDisplay(_ subsystem: String, _ name: String) throws { try command("display \(subsystem) \(name)") }

    /// Writes a file of the fake `/sys`, such as `class/backlight/panel/bl_power`. Programs that have opened it read the
    /// new contents, as in a real `/sys`.
    package func setSystemFile(_ path: String, _ text: String) throws {
        let file = URL(fileURLWithPath: "\(root)/sys/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Sends a command, waits until it was carried out, and returns the reply.
    @discardableResult
    package func command(_ text: String) throws -> String {
        try program.send(text)
        let answer = try program.output.wait(for: "answer to \"\(text)\"") {
            $0.hasPrefix("OK ") || $0.hasPrefix("ERROR ")
        }
        guard answer.hasPrefix("OK ") else { throw TestFailure("fake panel: \(text): \(answer)") }
        return answer
    }

    /// Sends several commands, one per line.
    package func commands(_ text: String) throws {
        for line in text.split(separator: "\n") { try command(String(line)) }
    }

    /// Plugs in a panel, as `eventN`.
    package func add(_ number: Int = 0) throws { try command("add \(number)") }
    /// Unplugs the panel.
    package func remove(_ number: Int = 0) throws { try command("remove \(number)") }

    /// Unplugs the panel without a udev event.
    package func vanish(_ number: Int = 0) throws { try command("vanish \(number)") }

    /// Whether a program has grabbed the panel with `EVIOCGRAB`.
    package var isGrabbed: Bool { get throws { try command("state").contains("grab=1") } }

    /// The current time of the panel's clock in microseconds. Times for `at` are on this clock.
    package func now() throws -> Int64 {
        let answer = try command("state")
        guard let now = answer.split(separator: "=").last.flatMap({ Int64($0) }) else {
            throw TestFailure("fake panel: \(answer)")
        }
        return now
    }

    /// Sets the time of the following frames; with `nil`, frames have the time at which they are written.
    ///
    /// Because the daemon uses the times of frames, a test that sets times in the past has exact results without
    /// waiting.
    package func at(_ microseconds: Int64?) throws { try command("at \(microseconds ?? 0)") }

    /// Lands a finger in a slot, in its own frame.
    package func land(_ slot: Int = 0, id: Int, x: Int, y: Int) throws {
        try command("frame 3 47 \(slot) 3 57 \(id) 3 53 \(x) 3 54 \(y) 1 330 1")
    }

    package func move(_ slot: Int = 0, x: Int, y: Int) throws {
        try command("frame 3 47 \(slot) 3 53 \(x) 3 54 \(y)")
    }

    /// Lands a finger at the first of these points, and moves it to the others, with a time between two points.
    /// - Parameters:
    ///   - time: the time of the landing.
    ///   - interval: the time between two points. All times are in microseconds.
    /// - Returns: the time of the last point.
    @discardableResult
    package func draw(id: Int, _ points: [(x: Int, y: Int)], at time: Int64, every interval: Int64) throws -> Int64 {
        for (number, point) in points.enumerated() {
            try at(time + Int64(number) * interval)
            if number == 0 { try land(id: id, x: point.x, y: point.y) } else { try move(x: point.x, y: point.y) }
        }
        return time + Int64(points.count - 1) * interval
    }

    /// Lifts the last finger of the panel.
    package func lift(_ slot: Int = 0) throws { try command("frame 3 47 \(slot) 3 57 -1 1 330 0") }
}
