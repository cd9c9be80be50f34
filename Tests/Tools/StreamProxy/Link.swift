// SPDX-License-Identifier: MIT
import CLinux
import StreamVerifier

/// A client, its connection to the daemon, and the data that is passed between them.
///
/// Reads from one side only as much as the other side has accepted, so that a slow client is also slow for
/// the daemon.
final class Link {
    private let client: CInt
    private let daemon: CInt
    private var verifier: ConnectionVerifier
    private var toClient: [UInt8] = []
    private var toDaemon: [UInt8] = []
    private var isClientAtEnd = false
    private var isDaemonAtEnd = false
    private var reported = 0
    private(set) var isClosed = false

    /// Takes ownership of both descriptors, which must be non-blocking.
    init(client: CInt, daemon: CInt, configuration: String) {
        self.client = client
        self.daemon = daemon
        verifier = ConnectionVerifier(configuration: configuration)
    }

    deinit {
        close(client)
        close(daemon)
    }

    /// The entries for poll(2): first the client, then the daemon.
    var polls: [pollfd] {
        var client = pollfd(fd: client, events: 0, revents: 0)
        if toDaemon.isEmpty, !isClientAtEnd { client.events |= Int16(POLLIN) }
        if !toClient.isEmpty { client.events |= Int16(POLLOUT) }
        var daemon = pollfd(fd: daemon, events: 0, revents: 0)
        if toClient.isEmpty, !isDaemonAtEnd { daemon.events |= Int16(POLLIN) }
        if !toDaemon.isEmpty { daemon.events |= Int16(POLLOUT) }
        // Without this, poll(2) would report a hang-up repeatedly while the client has not accepted the
        // earlier data.
        if daemon.events == 0 { daemon.fd = -1 }
        return [client, daemon]
    }

    /// Passes on all data that can be passed on now.
    /// - Parameter hasClientHungUp: whether poll(2) has reported a hang-up of the client.
    func pass(hasClientHungUp: Bool) {
        repeat {
            if toDaemon.isEmpty { readClient() }
            Self.send(&toDaemon, to: daemon)
            // The daemon must still serve the requests that a client sent before it hung up.
        } while hasClientHungUp && toDaemon.isEmpty && !isClientAtEnd
        if toClient.isEmpty { readDaemon() }
        let isClientGone = !Self.send(&toClient, to: client)
        if isClientGone || hasClientHungUp || (isDaemonAtEnd && toClient.isEmpty) { isClosed = true }
    }

    private func readClient() {
        guard !isClientAtEnd, let bytes = Self.receive(client) else { return }
        isClientAtEnd = bytes.isEmpty
        if isClientAtEnd { shutdown(daemon, CInt(SHUT_WR)) }
        verifier.sent(bytes)
        toDaemon += bytes
    }

    private func readDaemon() {
        guard !isDaemonAtEnd, let bytes = Self.receive(daemon) else { return }
        isDaemonAtEnd = bytes.isEmpty
        verifier.received(bytes)
        toClient += bytes
        while reported < verifier.violations.count {
            report("stream: \(verifier.violations[reported])")
            reported += 1
        }
    }

    /// - Returns: an empty list at the end of the stream, or `nil` if no data is available.
    private static func receive(_ descriptor: CInt) -> [UInt8]? {
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        let count = linux_receive(descriptor, &block, block.count)
        if count < 0, linux_errno() == EAGAIN || linux_errno() == EINTR { return nil }
        return Array(block[..<max(0, count)])
    }

    /// Sends `bytes`, and removes the part that the socket accepted.
    /// - Returns: whether the socket accepts more data.
    @discardableResult
    private static func send(_ bytes: inout [UInt8], to descriptor: CInt) -> Bool {
        guard !bytes.isEmpty else { return true }
        let count = linux_send(descriptor, bytes, bytes.count)
        if count < 0 { return linux_errno() == EAGAIN || linux_errno() == EINTR }
        bytes.removeFirst(count)
        return true
    }
}
