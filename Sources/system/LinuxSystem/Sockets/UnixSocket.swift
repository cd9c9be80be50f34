// SPDX-License-Identifier: MIT
import CLinux

/// The process at the other end of a connection, as the kernel recorded it at `connect`.
package struct PeerCredentials: Hashable, Sendable {
    package var process: Int32
    package var user: UInt32
    package var group: UInt32
    /// The supplementary groups.
    package var groups: [UInt32]

    package init(process: Int32, user: UInt32, group: UInt32, groups: [UInt32] = []) {
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
    }
}

/// Unix stream sockets with a path.
package enum UnixSocket {
    /// Connects to `path` as a client. The socket is blocking unless `nonBlocking` is true.
    /// - Parameter milliseconds: the timeout while the listener's backlog is full. It is set as the timeout of the
    ///   socket (`SO_SNDTIMEO`), because poll(2) does not report when the backlog has room again.
    /// - Throws: `SystemError` with the path. It is `ECONNREFUSED` if no process listens, `ENAMETOOLONG` if the path is
    ///   longer than 107 bytes, and `EAGAIN` if the backlog stayed full.
    package static func connect(
        path: String, nonBlocking: Bool = false, within milliseconds: CInt = 5000
    ) throws(SystemError) -> OwnedDescriptor {
        let socket = try create()
        // 0 would mean no timeout.
        let patience = max(1, Int(milliseconds))
        var limit = timeval(tv_sec: patience / 1000, tv_usec: patience % 1000 * 1000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard setsockopt(socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, size) >= 0 else {
            throw .last("setsockopt")
        }
        _ = try retryingOnInterrupt("connect", path: path) {
            linux_unix_connect(socket.rawValue, path, path.utf8.count)
        }
        if nonBlocking, linux_set_non_blocking(socket.rawValue) < 0 { throw .last("fcntl") }
        return socket
    }

    /// Accepts one waiting connection. The socket is non-blocking and close-on-exec.
    /// - Returns: `nil` if no connection is waiting, or if the waiting connection has been closed.
    /// - Throws: any other error, such as `EMFILE`. The listener can still be used.
    package static func accept(_ listener: CInt) throws(SystemError) -> OwnedDescriptor? {
        do throws(SystemError) {
            return OwnedDescriptor(adopting: try retryingOnInterrupt("accept4") { linux_accept(listener) })
        } catch {
            if error.code == EAGAIN || error.code == ECONNABORTED { return nil }
            throw error
        }
    }

    /// - Throws: `SystemError` from `getsockopt`.
    package static func peer(of connection: CInt) throws(SystemError) -> PeerCredentials {
        var peer = linux_peer()
        guard linux_peer_credentials(connection, &peer) >= 0 else { throw .last("getsockopt") }
        return PeerCredentials(process: peer.pid, user: peer.uid, group: peer.gid, groups: try groups(of: connection))
    }

    private static func groups(of connection: CInt) throws(SystemError) -> [UInt32] {
        // Linux allows at most 65536 groups (`NGROUPS_MAX`), but few users are in more than 32.
        for capacity in [32, 65_536] {
            var groups = [UInt32](repeating: 0, count: capacity)
            let count = linux_peer_groups(connection, &groups, capacity)
            if count >= 0 { return Array(groups.prefix(Int(count))) }
            guard linux_errno() == ERANGE else { break }
        }
        // Kernels before 4.13 do not support this.
        guard linux_errno() != ENOPROTOOPT else { return [] }
        throw .last("getsockopt")
    }

    /// Creates a blocking stream socket.
    static func create() throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            adopting: try retryingOnInterrupt("socket") { linux_unix_socket(CInt(SOCK_STREAM.rawValue), 0) })
    }
}
