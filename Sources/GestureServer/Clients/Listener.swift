// SPDX-License-Identifier: MIT
import CLinux
package import LinuxSystem

/// The socket that clients connect to. Goes on listening after every error of `accept`.
package final class Listener {
    private let socket: OwnedDescriptor
    private let loop: EventLoop
    private let pauses: ClosedRange<Int64>
    private var source: EventLoop.Source?
    private var nextPause: Int64
    /// When it listens again after an error; `nil` while it listens.
    private(set) var resumeAt: Int64?

    /// Accepts the next connection; tests replace it to return errors.
    package var takeConnection: (CInt) throws(SystemError) -> OwnedDescriptor? = UnixSocket.accept

    /// Connections of one turn.
    private static let acceptsPerTurn = 16

    init(
        socket: consuming OwnedDescriptor, loop: EventLoop, pauses: ClosedRange<Int64>, _ ready: @escaping () -> Void
    ) throws(SystemError) {
        self.socket = consume socket
        self.loop = loop
        self.pauses = pauses
        nextPause = pauses.lowerBound
        // An older kernel cannot: `ConnectionCloser` does what it takes then.
        _ = linux_refuse_descriptors(self.socket.rawValue)
        source = try loop.add(self.socket.rawValue, events: .readable) { _ in ready() }
    }

    /// Calls `body` with each connection that waits.
    /// - Returns: the error that made it pause, if any.
    func accept(now: Int64, _ body: (consuming OwnedDescriptor) -> Void) -> SystemError? {
        do throws(SystemError) {
            for _ in 0..<Self.acceptsPerTurn {
                guard let connection = try takeConnection(socket.rawValue) else { break }
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

    /// Listens again when its pause is over.
    func resumeIfDue(now: Int64) {
        guard let time = resumeAt, time <= now, let source else { return }
        resumeAt = nil
        do throws(SystemError) {
            try loop.modify(source, events: .readable)
        } catch {
            pause(now: now)
        }
    }

    func close() {
        if let source { loop.remove(source) }
        source = nil
        resumeAt = nil
    }

    /// Leaves waiting connections alone for a while.
    func pause(now: Int64) {
        resumeAt = now + nextPause
        nextPause = min(nextPause * 2, pauses.upperBound)
        // If this fails too, the next turn comes back here.
        if let source { try? loop.modify(source, events: []) }
    }
}
