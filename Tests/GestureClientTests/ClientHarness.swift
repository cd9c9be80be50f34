// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport

/// A fake panel, and a daemon that reads it and can be killed and restarted.
final class ClientHarness {
    let folder: ScratchFolder
    let panel: FakePanel
    private(set) var daemon: DaemonProcess?
    let path: String
    /// The number of contacts that have landed.
    private(set) var fingers = 0
    /// The panel's time. It is ahead of the clock, so that the speed of the machine does not affect how long
    /// touches take.
    private var time: Int64

    /// The configuration that the tests of the clients in all languages use.
    static let configuration =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/clients/harness.toml"

    /// Additional tables for the configuration.
    private let addition: String

    init(isStarted: Bool = true, addition: String = "") throws {
        self.addition = addition
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try panel.add()
        time = try panel.now() + 3_600_000_000
        path = folder("gestured.sock")
        if isStarted { try start() }
    }

    /// Starts a daemon and waits until its panel is ready.
    func start() throws {
        daemon = nil
        // The socket for notifications may be left over from the previous daemon.
        try? FileManager.default.removeItem(atPath: folder("notify"))
        let daemon = try DaemonProcess(
            String(contentsOfFile: Self.configuration, encoding: .utf8) + addition, in: folder, panel: panel,
            isProxied: true)
        _ = try daemon.connect(toPanel: "panel")
        self.daemon = daemon
    }

    /// Ends the daemon with a signal. The default acts like a crash.
    func kill(_ signal: Int32 = 9) throws {
        daemon?.program.signal(signal)
        _ = try daemon?.program.waitForExit()
    }

    /// Plugs in another panel. From now on, its contacts land and lift.
    func plug(_ number: Int, _ name: String) throws {
        try panel.command("name \(name)")
        try panel.add(number)
    }

    func land(x: Int = 100, y: Int = 100) throws {
        fingers += 1
        try frame(after: 1_000_000, "3 47 0 3 57 \(fingers) 3 53 \(x) 3 54 \(y) 1 330 1")
    }

    func move(x: Int, y: Int = 100) throws { try frame(after: 10_000, "3 47 0 3 53 \(x) 3 54 \(y)") }

    func lift() throws { try frame(after: 84_000, "3 47 0 3 57 -1 1 330 0") }

    func tap(x: Int = 100, y: Int = 100) throws {
        try land(x: x, y: y)
        try lift()
    }

    private func frame(after microseconds: Int64, _ events: String) throws {
        time += microseconds
        try panel.at(time)
        try panel.command("frame " + events)
    }
}
