// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import GestureClient
import GestureTestSupport
import LinuxSystem
import Testing

@testable import gesturectl

/// While a daemon is stopped (by SIGSTOP or a debugger), the kernel accepts connections until the queue of
/// the socket is full.
@Suite("With a daemon that hangs")
struct HungDaemonTests {
    /// A listening socket with a full queue.
    private final class FullSocket {
        let path: String
        private let folder: ScratchFolder
        private var descriptors: [CInt] = []

        init() throws {
            folder = try ScratchFolder()
            path = folder("socket")
            descriptors.append(try ListenSockets.bind(path: path).release())
            while let socket = try? UnixSocket.connect(path: path, within: 20).release() { descriptors.append(socket) }
        }

        deinit { for descriptor in descriptors { close(descriptor) } }
    }

    @Test("no connection: the cause and the remedy")
    func connection() throws {
        let socket = try FullSocket()
        let error = try #require(throws: ToolError.self) { _ = try DaemonConnection(path: socket.path, patience: 20) }
        #expect(
            error
                == ToolError(
                    .unavailable,
                    "\(socket.path): no daemon: Resource temporarily unavailable; the daemon accepts no connection at present; "
                        + "see its log (journalctl -u gestured)"))
    }

    @Test("no reply: likewise")
    func answer() throws {
        let folder = try ScratchFolder()
        let listener = try ListenSockets.bind(path: folder("socket"))
        let connection = try DaemonConnection(path: folder("socket"), patience: 20)
        let error = try #require(throws: ToolError.self) {
            _ = try connection.reply(to: RequestLine("ping"))
        }
        #expect(error == ToolError(.unavailable, "\(folder("socket")): the daemon does not answer; see its log"))
        #expect(listener.rawValue >= 0)
    }

    @Test("a shell's completion waits for a shorter time than a command", arguments: [true, false])
    func completion(isFull: Bool) throws {
        let folder = try ScratchFolder()
        let full = isFull ? try FullSocket() : nil
        let listener = try ListenSockets.bind(path: folder("socket"))
        let names = try Tool.run(
            ["---completion", "regions", "--", "positional@0", "0", "0", "gesturectl", "regions", ""],
            environment: ["GESTURED_SOCKET": full?.path ?? folder("socket"), "SAP_SHELL": "bash"])
        #expect(names.status == 0)
        #expect(names.output.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty)
        #expect(DaemonNames.patience < Connection.patience)
        #expect(listener.rawValue >= 0)
    }
}
