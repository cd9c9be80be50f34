// SPDX-License-Identifier: MIT
import CLinux

/// Functions that return the socket to which clients connect. It is either passed by the service manager or bound here.
package enum ListenSockets {
    /// The maximum number of connections that are waiting to be accepted.
    private static let backlog: CInt = 128
    /// The first descriptor that a service manager passes.
    static let firstPassed: CInt = 3

    /// Returns the first listening stream socket that the service manager has passed. It is made non-blocking and
    /// close-on-exec.
    ///
    /// Call this only once. Other passed descriptors are set to close-on-exec and are not used.
    /// - Parameter families: the accepted address families.
    package static func passed(families: [CInt] = [AF_UNIX]) -> OwnedDescriptor? {
        announced().flatMap { firstListener(from: firstPassed, count: $0.count, families: families) }
    }

    /// Returns the number and names of the descriptors that the manager has passed to this process (`LISTEN_PID`,
    /// `LISTEN_FDS`, `LISTEN_FDNAMES`). The first of them is `firstPassed`.
    static func announced() -> (count: CInt, names: [String])? {
        guard let process = Environment.value("LISTEN_PID").flatMap({ pid_t($0) }), process == getpid() else {
            return nil
        }
        let names = (Environment.value("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        return (Environment.value("LISTEN_FDS").flatMap { CInt($0) } ?? 0, names.map { String($0) })
    }

    /// Returns the first listening socket among `count` descriptors, starting with `first`.
    static func firstListener(from first: CInt, count: CInt, families: [CInt] = [AF_UNIX]) -> OwnedDescriptor? {
        var found: CInt?
        // A manager passes only a few descriptors. A wrong count must not cause two billion calls.
        for offset in 0..<max(0, min(count, 64)) {
            let descriptor = first + offset
            guard linux_set_close_on_exec(descriptor) >= 0, found == nil else { continue }
            if families.contains(linux_listener_family(descriptor)) { found = descriptor }
        }
        guard let found, linux_set_non_blocking(found) >= 0 else { return nil }
        return OwnedDescriptor(adopting: found)
    }

    /// Creates a non-blocking socket that is bound to `path` and listens there.
    ///
    /// Replaces a stale socket of this user at which no process listens. Any other file at `path` is left unchanged.
    /// The mode is set before `listen`, so that no client can connect while the mode is wrong.
    package static func bind(path: String) throws(ListenError) -> OwnedDescriptor {
        try removeStale(path)
        do throws(SystemError) {
            let socket = try UnixSocket.create()
            let raw = socket.rawValue
            _ = try retryingOnInterrupt("bind", path: path) { linux_unix_bind(raw, path, path.utf8.count) }
            _ = try retryingOnInterrupt("chmod", path: path) { chmod(path, 0o660) }
            _ = try retryingOnInterrupt("listen", path: path) { listen(raw, backlog) }
            if linux_set_non_blocking(raw) < 0 { throw .last("fcntl", path: path) }
            return socket
        } catch {
            throw .system(error)
        }
    }

    /// Creates a non-blocking socket that is bound to a loopback address and listens there.
    /// - Parameter host: the numeric address, such as `127.0.0.1` or `::1`.
    package static func bind(host: String, port: UInt16) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            adopting: try retryingOnInterrupt("bind", path: "\(host):\(port)") { linux_listen_internet(host, port) })
    }

    /// Removes the file of a socket that `bind` created. Do not call this for a passed socket, which the manager owns.
    package static func remove(path: String) {
        _ = unlink(path)
    }

    private static func removeStale(_ path: String) throws(ListenError) {
        var owner: uid_t = 0
        let kind = linux_file_kind(path, &owner)
        guard kind >= 0 else {
            // Either there is no file, or `bind` will report the error.
            return
        }
        guard kind == linux_kind_socket() else { throw .notOurs(path: path) }
        if let listener = listener(at: path) { throw .inUse(path: path, by: listener) }
        guard owner == geteuid() else { throw .notOurs(path: path) }
        guard unlink(path) >= 0 || linux_errno() == ENOENT else { throw .system(.last("unlink", path: path)) }
    }

    /// Returns the process that listens at `path`, such as `gestured (812)`; `a process` if it is unknown, because its
    /// backlog is full or this user may not connect; `nil` if no process listens. Does not block.
    private static func listener(at path: String) -> String? {
        let unknown = "a process"
        let raw = linux_unix_socket(CInt(SOCK_STREAM.rawValue), 1)
        guard raw >= 0 else { return unknown }
        let socket = OwnedDescriptor(adopting: raw)
        guard linux_unix_connect(socket.rawValue, path, path.utf8.count) >= 0 else {
            return linux_errno() == ECONNREFUSED ? nil : unknown
        }
        // In another namespace the process has no number here.
        guard let process = try? UnixSocket.peer(of: socket.rawValue).process, process > 0 else { return unknown }
        let name = try? StateFile("/proc/\(process)/comm").read(limit: 64)
        return name.map { "\(String(decoding: $0.dropLast(), as: UTF8.self)) (\(process))" } ?? "process \(process)"
    }
}

/// The reason why the daemon cannot listen at its socket.
package enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    case system(SystemError)
    /// A system call failed for a loopback address.
    case internet(SystemError)
    /// A process, such as `gestured (812)`, is already listening at this path.
    case inUse(path: String, by: String)
    /// There is a file at this path that is not a socket of this user.
    case notOurs(path: String)

    package var description: String {
        switch self {
        case .system(let error):
            "\(error); pass another path with --socket"
        case .internet(let error):
            "\(error); pass another address with --listen"
        case .inUse(let path, let process):
            """
            \(path) is in use by \(process); use that daemon, stop it (systemctl stop gestured.socket \
            gestured.service), or pass another path with --socket
            """
        case .notOurs(let path):
            "\(path) exists and is not a socket of this user; remove it, or pass another path with --socket"
        }
    }
}
