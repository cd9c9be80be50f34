// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// A daemon and a client that is neither root nor the daemon's user: it has uid 65534 and no supplementary groups.
/// Only for tests that run as root.
struct StrangerHarness {
    let panel: PanelHarness
    /// The client, a process of the other user.
    let stranger: ChildProcess

    init(
        _ configuration: String, group: UInt32? = nil, groups: [UInt32] = [], arguments: [String] = []
    ) throws {
        panel = try PanelHarness(configuration, arguments: arguments)
        let path = panel.daemon.socketPath
        chmod(panel.folder.path, 0o711)
        chmod(path, 0o666)
        let list = groups.isEmpty ? "--clear-groups" : "--groups=" + groups.map { "\($0)" }.joined(separator: ",")
        stranger = try ChildProcess([
            "setpriv", "--reuid=65534", "--regid=\(group ?? getgid())", list, "socat", "-t100", "STDIO",
            "UNIX-CONNECT:\(path)",
        ])
        try receive("hello")
        try receive("state")
    }

    /// The next event of this name that the stranger receives.
    @discardableResult
    func receive(_ event: String) throws -> JSONLine {
        let line = try stranger.output.wait(for: event) { JSONLine($0)?["event"] == event }
        return try #require(JSONLine(line))
    }

    func ask(_ request: String) throws -> JSONLine {
        try stranger.send(request)
        return try #require(
            JSONLine(stranger.output.wait(for: "reply to \(request)") { $0.hasPrefix("{\"reply\":") }))
    }
}
