// SPDX-License-Identifier: MIT
import GestureTestSupport

/// A fake panel, a daemon that reads it, and a client of the daemon.
struct PanelHarness {
    let folder: ScratchFolder
    let panel: FakePanel
    let machine: FakeMachine?
    let daemon: DaemonProcess
    let client: SocketClient

    /// - Parameters:
    ///   - speed: runs the daemon on a fake machine whose clock runs this many times as fast.
    ///   - setup, isProxied: see `DaemonProcess`.
    ///   - name: the panel that the client waits for; `nil` if it does not wait.
    ///   - prepare: prepares the panel before the daemon starts; the default plugs it in.
    init(
        _ configuration: String = TestConfiguration.button, arguments: [String] = [], speed: Int? = nil,
        setup: String? = nil, isProxied: Bool = false, waitsFor name: String? = "panel",
        prepare: (FakePanel) throws -> Void = { try $0.add() }
    ) throws {
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try prepare(panel)
        machine = try speed.map { [folder] in try FakeMachine(in: folder, speed: $0) }
        daemon = try DaemonProcess(
            configuration, in: folder, panel: panel, arguments: arguments, machine: machine, setup: setup,
            isProxied: isProxied)
        client = try name.map { [daemon] in try daemon.connect(toPanel: $0) } ?? daemon.connect()
    }

    /// Two panels, `left` and `right` in the configuration. The client waits until the daemon has both.
    /// - Parameter commands: commands that make the panels distinguishable.
    init(
        twinsOf configuration: String,
        _ commands: (first: String, second: String) = ("name Left Panel", "name Right Panel")
    ) throws {
        try self.init(configuration, waitsFor: "right") {
            try $0.command(commands.first)
            try $0.add(0)
            try $0.command(commands.second)
            try $0.add(1)
        }
        _ = try daemon.connect(toPanel: "left")
    }

    /// Puts a finger down on a region.
    /// - Returns: the `begin` line of its press.
    @discardableResult
    func press(_ slot: Int = 0, id: Int = 1, x: Int = 100, y: Int = 100, on region: String = "ok") throws -> JSONLine {
        try panel.land(slot, id: id, x: x, y: y)
        return try client.wait(for: "gesture press begin \(region)")
    }

    /// Lifts the finger from the region `ok`.
    /// - Returns: the `end` line of its press.
    @discardableResult
    func release(_ slot: Int = 0) throws -> JSONLine {
        try panel.lift(slot)
        return try client.wait(for: "gesture press end ok")
    }

    /// The panel's row in the reply to `devices`.
    func row() throws -> JSONLine {
        let devices = try client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        guard let row = devices.first(where: { $0["device"] == "panel" }) else { throw TestFailure("no panel") }
        return row
    }
}
