// SPDX-License-Identifier: MIT
import CLinux
package import LinuxSystem

/// The socket to which clients connect. An error of `accept` only causes a pause.
package final class Listener {
    /// `nil` once closed.
    private var socket: OwnedDescriptor?
    private let loop: EventLoop
    private let pauses: ClosedRange<Int64>
    private var source: EventLoop.Source?
    private var nextPause: Int64
    /// The time at which the pause after an error ends; `nil` while there is no pause.
    private(set) var resumeAt: Int64?

    /// Accepts the next connection. Replaced by tests to return errors.
    package var takeConnection: (CInt) throws(SystemError) -> OwnedDescriptor? = UnixSocket.accept

    /// Reads the credentials of a connection's peer. Replaced by tests to act as other users.
    package var readCredentials: (CInt) throws(SystemError) -> PeerCredentials = UnixSocket.peer(of:)

    /// The number of connections accepted so far. Connections are numbered from 1.
    package internal(set) var connectionsAccepted: Int64 = 0

    /// The maximum number of connections accepted in one turn.
    private static let acceptsPerTurn = 16

    init(
        socket: consuming OwnedDescriptor, loop: EventLoop, pauses: ClosedRange<Int64>, _ ready: @escaping () -> Void
    ) throws(SystemError) {
        let descriptor = socket.rawValue
        self.socket = consume socket
        self.loop = loop
        self.pauses = pauses
        nextPause = pauses.lowerBound
        // Older kernels do not support this. On them, `ConnectionCloser` handles descriptors passed by clients.
        _ = linux_refuse_descriptors(descriptor)
        source = try loop.add(descriptor, events: .readable) { _ in ready() }
    }

    /// Calls `body` with each waiting connection.
    /// - Returns: the error that caused a pause; `nil` if there was none.
    func accept(now: Int64, _ body: (consuming OwnedDescriptor) -> Void) -> SystemError? {
        do throws(SystemError) {
            for _ in 0..<Self.acceptsPerTurn {
                guard let descriptor = socket?.rawValue, let connection = try takeConnection(descriptor) else { break }
                body(connection)
            }
            nextPause = pauses.lowerBound
            return nil
        } catch {
            // Without a pause, errors such as EMFILE would recur immediately, even without a waiting connection.
            pause(now: now)
            return error
        }
    }

    /// Ends a pause early.
    func resume(now: Int64) {
        guard resumeAt != nil, let source else { return }
        resumeAt = nil
        do throws(SystemError) {
            try loop.modify(source, events: .readable)
        } catch {
            pause(now: now)
        }
    }

    /// Closes the socket.
    /// - Parameter closer: closes the socket and the connections that are waiting to be accepted.
    func close(with closer: ConnectionCloser) {
        if let source { loop.remove(source) }
        source = nil
        resumeAt = nil
        guard let socket = socket.take() else { return }
        closer.close(listener: socket)
    }

    /// Accepts no connections for a while.
    func pause(now: Int64) {
        resumeAt = now + nextPause
        nextPause = min(nextPause * 2, pauses.upperBound)
        // If this fails too, the next turn calls `accept` again.
        if let source { try? loop.modify(source, events: []) }
    }
}
