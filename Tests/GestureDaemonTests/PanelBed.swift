// SPDX-License-Identifier: MIT
import GestureTestSupport

/// A fake panel that is plugged in, the daemon that reads it, and a client of it.
struct PanelBed {
    let folder: ScratchFolder
    let panel: FakePanel
    let daemon: DaemonProcess
    let client: SocketClient

    init(_ configuration: String = TestConfiguration.button, arguments: [String] = []) throws {
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try panel.add()
        daemon = try DaemonProcess(configuration, in: folder, panel: panel, arguments: arguments)
        client = try daemon.connect(toPanel: "panel")
    }
}
