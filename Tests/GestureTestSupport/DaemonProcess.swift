// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import LinuxSystem
import Testing

/// Runs the real `gestured`, with its own socket, configuration and service manager.
package final class DaemonProcess {
    package let program: ChildProcess
    package let manager: ServiceManager
    package let socketPath: String
    private let folder: ScratchFolder
    private var configuration: String
    // The panel must outlive the daemon, because umockdev aborts programs that outlive the fake devices.
    private let panel: FakePanel?

    /// Starts the daemon and waits until it reports that it is ready.
    /// - Parameters:
    ///   - configuration: the text of the only configuration file.
    ///   - machine: a fake machine that the daemon runs on.
    ///   - activated: whether the test binds the socket and passes it to the daemon, as a socket unit does.
    ///   - setup: shell commands that run before the daemon in the same process.
    ///   - isProxied: whether clients connect to a proxy that verifies the lines, for clients that do not verify them
    ///     themselves. `program` is then the proxy's process, which ends like the daemon.
    package init(
        _ configuration: String, in folder: ScratchFolder, panel: FakePanel? = nil, arguments: [String] = [],
        environment: [String: String] = [:], machine: FakeMachine? = nil, activated: Bool = false,
        setup: String? = nil, isProxied: Bool = false
    ) throws {
        self.folder = folder
        self.configuration = configuration
        self.panel = panel
        socketPath = folder("gestured.sock")
        manager = try ServiceManager(path: folder("notify"))
        let file = try folder.write(configuration, to: "gestured.toml")
        var command = [BuildProducts.program(isProxied ? "proxied-gestured" : "gestured"), "-c", file]
        var variables = ChildProcess.inherited.merging(environment) { $1 }
        variables["NOTIFY_SOCKET"] = manager.path
        // Hide the devices of this machine if there is no fake panel.
        let seen = try panel?.environment ?? Self.nothing(in: folder)
        variables.merge(seen) { $1 }
        if let machine { variables = try machine.environment(over: variables) }
        if activated {
            let listener = try ListenSockets.bind(path: socketPath)
            variables["LISTEN_FDS"] = "1"
            variables["LISTEN_FDNAMES"] = "gestured"
            // LISTEN_PID must be the daemon's process id, so a shell sets it and then executes the daemon.
            command = ["/bin/sh", "-c", "LISTEN_PID=$$ exec \"$0\" \"$@\""] + command + arguments
            program = try ChildProcess(
                command, environment: variables, errorFile: folder("log"), passed: listener.rawValue)
        } else {
            command += ["--socket", socketPath] + arguments
            if let setup { command = ["/bin/sh", "-c", setup + "; exec \"$0\" \"$@\""] + command }
            program = try ChildProcess(command, environment: variables, errorFile: folder("log"))
        }
        do {
            try manager.wait(for: "READY=1", from: program)
        } catch {
            throw TestFailure("the daemon is not ready: \(error)\nlog:\n\(log)")
        }
    }

    /// Reports violations that the proxy has written to the daemon's log.
    deinit {
        for line in log.split(separator: "\n") where line.contains("stream: line ") {
            Issue.record("the daemon's stream violates a law: \(line)")
        }
    }

    /// The text of the log so far.
    package var log: String {
        (try? String(decoding: Data(contentsOf: URL(fileURLWithPath: folder("log"))), as: UTF8.self)) ?? ""
    }

    /// Connects a client, and reads up to and including the first `state`.
    package func connect() throws -> SocketClient {
        let client = try SocketClient(path: socketPath, configuration: configuration)
        try client.wait(for: "hello")
        try client.wait(for: "state")
        return client
    }

    /// Connects a client, and waits until a panel is ready. The daemon may be ready before the panel is.
    package func connect(toPanel id: String) throws -> SocketClient {
        let client = try SocketClient(path: socketPath, configuration: configuration)
        try client.wait(for: "hello")
        let state = try client.wait(for: "state") { $0["event"] == "state" }
        if !state.objects("devices").contains(where: { $0["device"] == id && $0["state"] == "ready" }) {
            _ = try client.wait(for: "device \(id)") { $0["change"] == "added" && $0["device"] == id }
        }
        return client
    }

    /// Replaces the text of the configuration file without a reload.
    package func configure(_ text: String) throws {
        try folder.write(text, to: "gestured.toml")
        configuration = text
    }

    /// Stops the daemon with SIGTERM and waits until it has exited.
    package func stop() throws -> ChildProcess.Ending {
        program.signal(SIGTERM)
        return try program.waitForExit()
    }

    private static func nothing(in folder: ScratchFolder) throws -> [String: String] {
        let root = folder("no-devices")
        for name in ["dev/input", "sys"] {
            try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
        }
        return ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": root]
    }
}
