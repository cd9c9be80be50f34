// SPDX-License-Identifier: MIT
import ArgumentParser

/// Where the daemon is.
struct SocketOptions: ParsableArguments {
    static let defaultPath = "/run/gestured/gestured.sock"

    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp("The daemon's socket. (default: $GESTURED_SOCKET or \(defaultPath))", valueName: "path"),
        completion: .file())
    var given: String?

    var path: String {
        if let given { return given }
        guard let path = environment("GESTURED_SOCKET"), !path.isEmpty else { return Self.defaultPath }
        return path
    }

    func connect() throws -> DaemonConnection { try DaemonConnection(path: path) }
}
