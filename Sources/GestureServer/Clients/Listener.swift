// SPDX-License-Identifier: MIT
import CLinux
package import LinuxSystem

/// The socket that clients connect to. Goes on listening after every error of `accept`.
package final class Listener {
    /// `nil` once it is closed.
    private var socket: OwnedDescriptor?
    private let loop: EventLoop
    private let pauses: ClosedRange<Int64>
    private var source: EventLoop.Source?
    private var nextPause: Int64
    /// When it listens again after an error; `nil` while it listens.
    private(set) var resumeAt: Int64?

    /// Accepts the next connection; tests replace it to return errors.
    package var takeConnection: (CInt) throws(SystemError) -> OwnedDescriptor? = UnixSocket.accept

    /// Reads the peer of a connection; tests replace it to act as other users.
    package var readCredentials: (CInt) throws(SystemError) -> PeerCredentials = UnixSocket.peer(of:)

    /// The connections so far that were not refused. They are numbered from 1 on.
    package internal(set) var connectionsAccepted: Int64 = 0

    /// Connections of one turn.
    private static let acceptsPerTurn = 16

    init(
        socket: consuming OwnedDescriptor, loop: EventLoop, pauses: ClosedRange<Int64>, _ ready: @escaping () -> Void
    ) throws(SystemError) {
        let descriptor = socket.rawValue
        self.socket = consume socket
        self.loop = loop
        self.pauses = pauses
        nextPause = pauses.lowerBound
        // An older kernel cannot: `ConnectionCloser` does what it takes then.
        _ = linux_refuse_descriptors(descriptor)
        source = try loop.add(descriptor, events: .readable) { _ in ready() }
    }

    /// Calls `body` with each connection that waits.
    /// - Returns: the error that made it pause, if any.
    func accept(now: Int64, _ body: (consuming OwnedDescriptor) -> Void) -> SystemError? {
        do throws(SystemError) {
            for _ in 0..<Self.acceptsPerTurn {
                guard let descriptor = socket?.rawValue, let connection = try takeConnection(descriptor) else { break }
                body(connection)
            }
            nextPause = pauses.lowerBound
            return nil
        } catch {
            // Errors such as EMFILE come back at once, even without a waiting connection: pause.
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

    /// - Parameter closer: closes the socket, with what waits on it.
    func close(with closer: ConnectionCloser) {
        if let source { loop.remove(source) }
        source = nil
        resumeAt = nil
        guard let socket = socket.take() else { return }
        closer.close(listener: socket)
    }

    /// Leaves waiting connections alone for a while.
    func pause(now: Int64) {
        resumeAt = now + nextPause
        nextPause = min(nextPause * 2, pauses.upperBound)
        // If this fails too, the next turn comes back here.
        if let source { try? loop.modify(source, events: []) }
    }
}
