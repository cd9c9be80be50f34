// SPDX-License-Identifier: MIT
import GestureTestSupport

/// A fake panel, the daemon that reads it, and one of its clients.
struct PanelHarness {
    let folder: ScratchFolder
    let panel: FakePanel
    let machine: FakeMachine?
    let daemon: DaemonProcess
    let client: SocketClient

    /// - Parameters:
    ///   - speed: the daemon runs on a fake machine whose time runs this many times as fast.
    ///   - setup, isProxied: see `DaemonProcess`.
    ///   - name: the client waits until the daemon has this panel; `nil`: it does not wait.
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

    /// A finger lands on a region.
    /// - Returns: the line of its press.
    @discardableResult
    func press(_ slot: Int = 0, id: Int = 1, x: Int = 100, y: Int = 100, on region: String = "ok") throws -> JSONLine {
        try panel.land(slot, id: id, x: x, y: y)
        return try client.wait(for: "gesture press begin \(region)")
    }

    /// The finger lifts from the region `ok`.
    /// - Returns: the line of the end of its press.
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
