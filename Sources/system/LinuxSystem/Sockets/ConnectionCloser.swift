// SPDX-License-Identifier: MIT
import CLinux

/// Closes connections without waiting for files whose descriptors their peers have passed.
///
/// A client may pass descriptors (`SCM_RIGHTS`), which cannot be refused before Linux 6.16. Closing the connection then
/// closes these descriptors as well, and waits until the last reference to each file is closed. For a TCP socket with
/// `SO_LINGER`, this may take 18 hours. Therefore, a connection whose unread bytes hold descriptors is closed by a
/// helper thread, which does nothing else and is started when it is first needed. The helper does not linger either: a
/// second thread takes references to all descriptors and drops them by exiting, and the kernel does not let exiting
/// threads linger. The descriptors are not received, because some files (FUSE, NFS) make their holder wait in `close`,
/// but not while they are in flight.
package final class ConnectionCloser {
    private let loop: EventLoop
    private var helper: OwnedDescriptor?
    private var source: EventLoop.Source?
    /// Sockets that have not been passed to the helper yet, because it could not be started or its queue is full.
    private var waiting: [linux_closing] = []
    /// The number of connections of each user that are not closed yet.
    package private(set) var users: [UInt32: Int] = [:]

    /// Starts the helper. Tests replace this function.
    package var startHelper: () -> CInt = linux_closer_start
    /// Called when a connection has been closed.
    package var whenClosed: () -> Void = {}

    package init(loop: EventLoop) {
        self.loop = loop
    }

    deinit {
        stop()
    }

    /// The number of connections that are not closed yet.
    package private(set) var count = 0

    /// Returns the number of connections of this user that are not closed yet.
    package func count(of user: UInt32) -> Int { users[user] ?? 0 }

    /// Closes a connection that `UnixSocket.accept` returned. It is closed immediately, unless its unread bytes hold
    /// descriptors.
    /// - Parameter scratch: a buffer for reading.
    package func close(
        _ connection: consuming OwnedDescriptor, of user: UInt32, scratch: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard Self.holdsDescriptors(connection.rawValue, scratch) else { return }
        handOver(connection, of: user)
    }

    /// Closes a listening socket. Its backlog may contain connections with descriptors in their unread bytes.
    package func close(listener: consuming OwnedDescriptor) {
        handOver(listener, of: .max)
    }

    private func handOver(_ socket: consuming OwnedDescriptor, of user: UInt32) {
        waiting.append(linux_closing(fd: socket.release(), user: user))
        count += 1
        users[user, default: 0] += 1
        handOver()
    }

    /// Makes the helper end after it has closed all sockets that it has received. Sockets that could not be passed to
    /// it are closed when the process exits. The exit does not wait for them.
    package func stop() {
        if let source { loop.remove(source) }
        source = nil
        helper = nil
    }

    /// Whether the unread bytes hold descriptors. Reads the bytes before the descriptors.
    private static func holdsDescriptors(_ socket: CInt, _ scratch: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        // After this, no more bytes can arrive, so their number is limited by the sender's buffer.
        _ = shutdown(socket, CInt(SHUT_RD))
        while true {
            let count = linux_receive_plain(socket, scratch.baseAddress, scratch.count)
            if count > 0 || (count < 0 && linux_errno() == EINTR) { continue }
            return count < 0 && linux_errno() == EBADMSG
        }
    }

    /// Passes the waiting sockets to the helper. Sockets that it does not accept are passed again after it has closed a
    /// socket, or together with the next connection.
    private func handOver() {
        if helper == nil { start() }
        guard let socket = helper?.rawValue else { return }
        while let next = waiting.first {
            let size = MemoryLayout<linux_closing>.size
            guard withUnsafeBytes(of: next, { linux_send(socket, $0.baseAddress, size) }) == size else { return }
            waiting.removeFirst()
        }
    }

    private func start() {
        let socket = startHelper()
        guard socket >= 0 else { return }
        let helper = OwnedDescriptor(adopting: socket)
        // This reference is unretained, because `stop` removes the source from the loop.
        let closer = Unmanaged.passUnretained(self)
        guard let source = try? loop.add(socket, events: .readable, { _ in closer.takeUnretainedValue().takeClosed() })
        else { return }
        self.source = source
        self.helper = consume helper
    }

    /// Updates the counts for the connections that the helper has closed.
    private func takeClosed() {
        guard let socket = helper?.rawValue else { return }
        var closed = linux_closing()
        let size = MemoryLayout<linux_closing>.size
        while withUnsafeMutableBytes(of: &closed, { linux_receive(socket, $0.baseAddress, size) }) == size {
            count -= 1
            let left = (users[closed.user] ?? 1) - 1
            users[closed.user] = left > 0 ? left : nil
        }
        if count > 0 { handOver() } else { stop() }
        whenClosed()
    }
}
