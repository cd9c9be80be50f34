// SPDX-License-Identifier: MIT
import CLinux

/// Closes connections without waiting for the files that their peers have passed.
///
/// A client may pass descriptors (`SCM_RIGHTS`). Before Linux 6.16 they cannot be refused. The thread that closes the
/// connection then drops them, and waits as long as the last reference to each file takes to close: a TCP socket with
/// `SO_LINGER` up to 18 hours. So a connection whose unread bytes hold descriptors is closed by a helper thread, which
/// does nothing else, and is started when it is first needed. Nothing lingers there: a second thread takes references
/// to all descriptors and drops them by its exit, and the kernel does not let exiting threads linger. They are not
/// received, because some files (FUSE, NFS) make their holder wait in `close`, and not in flight.
package final class ConnectionCloser {
    private let loop: EventLoop
    private var helper: OwnedDescriptor?
    private var source: EventLoop.Source?
    /// Not handed to the helper yet: it could not be started, or its queue is full.
    private var waiting: [linux_closing] = []
    /// Connections that are not closed yet, by user.
    package private(set) var users: [UInt32: Int] = [:]

    /// Starts the helper; tests replace it.
    package var startHelper: () -> CInt = linux_closer_start
    /// Called when something is closed.
    package var whenClosed: () -> Void = {}

    package init(loop: EventLoop) {
        self.loop = loop
    }

    deinit {
        stop()
    }

    /// Connections that are not closed yet.
    package private(set) var count = 0

    /// How many of them are of this user.
    package func count(of user: UInt32) -> Int { users[user] ?? 0 }

    /// Closes a connection that `UnixSocket.accept` returned; at once, unless its unread bytes hold descriptors.
    /// - Parameter scratch: memory to read into.
    package func close(
        _ connection: consuming OwnedDescriptor, of user: UInt32, scratch: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard Self.holdsDescriptors(connection.rawValue, scratch) else { return }
        handOver(connection, of: user)
    }

    /// Closes a listening socket, on which connections may wait whose unread bytes hold descriptors.
    package func close(listener: consuming OwnedDescriptor) {
        handOver(listener, of: .max)
    }

    private func handOver(_ socket: consuming OwnedDescriptor, of user: UInt32) {
        waiting.append(linux_closing(fd: socket.release(), user: user))
        count += 1
        users[user, default: 0] += 1
        handOver()
    }

    /// Ends the helper when it has closed what it was given. What could not be handed over is closed with the process,
    /// which does not wait then.
    package func stop() {
        if let source { loop.remove(source) }
        source = nil
        helper = nil
    }

    /// Whether descriptors are among the unread bytes; reads those before them.
    private static func holdsDescriptors(_ socket: CInt, _ scratch: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        // Nothing more comes: what is there is limited by the sender's buffer.
        _ = shutdown(socket, CInt(SHUT_RD))
        while true {
            let count = linux_receive_plain(socket, scratch.baseAddress, scratch.count)
            if count > 0 || (count < 0 && linux_errno() == EINTR) { continue }
            return count < 0 && linux_errno() == EBADMSG
        }
    }

    /// Gives the helper what waits for it. What it does not take is tried again when it has closed something, or with
    /// the next connection.
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
        // Unretained: `stop` takes the source out of the loop.
        let closer = Unmanaged.passUnretained(self)
        guard let source = try? loop.add(socket, events: .readable, { _ in closer.takeUnretainedValue().takeClosed() })
        else { return }
        self.source = source
        self.helper = consume helper
    }

    /// Counts what the helper has closed.
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
