// SPDX-License-Identifier: MIT
import GestureTestSupport

/// A fake panel that is plugged in, the daemon that reads it, and a client of it.
struct PanelHarness {
    let folder: ScratchFolder
    let panel: FakePanel
    let machine: FakeMachine?
    let daemon: DaemonProcess
    let client: SocketClient

    /// - Parameters:
    ///   - speed: the daemon's machine is a fake one, whose time runs so fast.
    ///   - setup, isProxied: see `DaemonProcess`.
    ///   - prepare: what is done to the panel before the daemon starts; plugs it in.
    init(
        _ configuration: String = TestConfiguration.button, arguments: [String] = [], speed: Int? = nil,
        setup: String? = nil, isProxied: Bool = false, prepare: (FakePanel) throws -> Void = { try $0.add() }
    ) throws {
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try prepare(panel)
        machine = try speed.map { [folder] in try FakeMachine(in: folder, speed: $0) }
        daemon = try DaemonProcess(
            configuration, in: folder, panel: panel, arguments: arguments, machine: machine, setup: setup,
            isProxied: isProxied)
        client = try daemon.connect(toPanel: "panel")
    }

    /// What `devices` says of the panel.
    func row() throws -> JSONLine {
        let devices = try client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        guard let row = devices.first(where: { $0["device"] == "panel" }) else { throw TestFailure("no panel") }
        return row
    }
}
