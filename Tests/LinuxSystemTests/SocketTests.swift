// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import LinuxSystem
import Testing

@Suite("Sockets")
struct SocketTests {
    @Test func boundSocketAcceptsConnections() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        let listener = try ListenSockets.bind(path: path)
        var found = stat()
        try #require(stat(path, &found) == 0)
        #expect(found.st_mode & 0o777 == 0o660)
        let none = try UnixSocket.accept(listener.rawValue)?.release()
        #expect(none == nil)

        let client = try UnixSocket.connect(path: path)
        let raw = try #require(try UnixSocket.accept(listener.rawValue)?.release())
        let server = OwnedDescriptor(adopting: raw)
        let peer = try UnixSocket.peer(of: server.rawValue)
        #expect(peer == PeerCredentials(process: getpid(), user: getuid(), group: getgid()))
        #expect(linux_send(server.rawValue, "hi", 2) == 2)
        var bytes = [UInt8](repeating: 0, count: 4)
        #expect(linux_receive(client.rawValue, &bytes, 4) == 2)
        #expect(linux_receive(client.rawValue, &bytes, 4) == -1)
        #expect(linux_errno() == EAGAIN)
    }

    @Test func staleSocketIsReplaced() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        do { _ = try ListenSockets.bind(path: path) }
        #expect(access(path, F_OK) == 0)
        // A program that another test starts may hold a copy of the closed socket until it calls `exec`.
        let deadline = MonotonicClock.now() + 60_000_000
        while let other = try? UnixSocket.connect(path: path), MonotonicClock.now() < deadline { _ = consume other }
        let listener = try ListenSockets.bind(path: path)
        #expect(linux_listener_family(listener.rawValue) == AF_UNIX)
        ListenSockets.remove(path: path)
        #expect(access(path, F_OK) != 0)
    }

    @Test func socketInUseIsRefused() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        let listener = try ListenSockets.bind(path: path)
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
        let error = ListenError.inUse(path: path, by: "\(name) (\(getpid()))")
        #expect(throws: error) { _ = try ListenSockets.bind(path: path) }
        #expect("\(error)".hasPrefix("\(path) is in use by \(name) (\(getpid())); use that daemon, stop it"))
        let client = try UnixSocket.connect(path: path)
        #expect(client.rawValue >= 0)
        #expect(linux_listener_family(listener.rawValue) == AF_UNIX)
    }

    @Test(.enabled(if: getuid() == 0, "only root can change the owner"))
    func socketOfAnotherUserInUseIsNotCalledStale() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        do {
            let listener = try ListenSockets.bind(path: path)
            try #require(chown(path, 65_534, 65_534) == 0)
            let error = #expect(throws: ListenError.self) { _ = try ListenSockets.bind(path: path) }
            #expect(error?.description.contains("in use by") == true)
            #expect(linux_listener_family(listener.rawValue) == AF_UNIX)
        }
        // A program that another test starts may hold a copy of the closed socket until it calls `exec`.
        let deadline = MonotonicClock.now() + 60_000_000
        while let other = try? UnixSocket.connect(path: path), MonotonicClock.now() < deadline { _ = consume other }
        #expect(throws: ListenError.notOurs(path: path)) { _ = try ListenSockets.bind(path: path) }
    }

    @Test(arguments: ["file", "link"])
    func whatIsNotOursIsLeftAlone(kind: String) throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        if kind == "file" {
            close(creat(path, 0o600))
        } else {
            #expect(symlink("/nowhere", path) == 0)
        }
        #expect(throws: ListenError.notOurs(path: path)) { _ = try ListenSockets.bind(path: path) }
        var owner: uid_t = 0
        #expect(linux_file_kind(path, &owner) >= 0)
    }

    /// `sun_path` has room for 107 bytes and the terminating zero.
    @Test(arguments: [(107, true), (108, false)])
    func pathLength(length: Int, fits: Bool) throws {
        let folder = try TestFolder()
        let path = folder.path + "/" + String(repeating: "x", count: length - folder.path.utf8.count - 1)
        if fits {
            _ = try ListenSockets.bind(path: path)
            unlink(path)
        } else {
            #expect(throws: ListenError.system(SystemError(call: "bind", code: ENAMETOOLONG, path: path))) {
                _ = try ListenSockets.bind(path: path)
            }
        }
    }

    @Test func queueIsFull() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        let listener = try ListenSockets.bind(path: path)
        var waiting: [CInt] = []
        defer { for socket in waiting { close(socket) } }
        var end: SystemError?
        while end == nil, waiting.count < 1000 {
            do throws(SystemError) {
                waiting.append(try UnixSocket.connect(path: path, within: 20).release())
            } catch {
                end = error
            }
        }
        #expect(end == SystemError(call: "connect", code: EAGAIN, path: path))
        #expect(waiting.count >= 128)
        // The queue has room for one connection again.
        _ = try UnixSocket.accept(listener.rawValue)
        #expect(try UnixSocket.connect(path: path, within: 20).rawValue >= 0)
    }

    @Test func nobodyListens() throws {
        let folder = try TestFolder()
        let path = folder.path + "/socket"
        let error = SystemError(call: "connect", code: ENOENT, path: path)
        #expect(throws: error) { _ = try UnixSocket.connect(path: path) }
        #expect(error.description == "connect \(path): No such file or directory")
    }
}
