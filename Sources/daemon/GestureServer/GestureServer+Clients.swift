// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

/// Accepts and closes connections.
extension GestureServer {
    /// Accepts waiting connections. Called by the listener.
    func acceptWaiting() {
        guard let listener else { return }
        let now = clock.monotonic()
        guard closer.count < limits.closings else {
            report(.warning, "\(closer.count) connections are slow to close; accepting no new ones until one is closed")
            listener.pause(now: now)
            return settle(now: now)
        }
        let error = listener.accept(now: now) { connection in
            admit(connection, from: listener, now: now)
        }
        if let error { report(.warning, "accept failed: \(error); trying again later") }
        settle(now: now)
    }

    /// Resumes accepting connections once fewer are being closed.
    func connectionClosed() {
        guard closer.count < limits.closings else { return }
        listener?.resume(now: clock.monotonic())
    }

    private func admit(_ connection: consuming OwnedDescriptor, from listener: Listener, now: Int64) {
        let credentials: PeerCredentials
        do throws(SystemError) {
            credentials = try listener.readCredentials(connection.rawValue)
        } catch {
            report(.warning, "refused: \(error)")
            return closer.close(connection, of: .max, scratch: scratch)
        }
        if let reason = reasonToRefuse(credentials.user) {
            report(.warning, "refused a connection from uid \(credentials.user): \(reason)")
            return refuse(connection, of: credentials.user, reason: reason)
        }
        listener.connectionsAccepted += 1
        let peer = Peer(
            credentials: credentials, connection: listener.connectionsAccepted, rights: rights(of: credentials))
        // If this fails, the default buffer size works as well.
        _ = linux_set_send_buffer(connection.rawValue, limits.socketBuffer)
        let client = ClientConnection(socket: connection, peer: peer, limits: limits, clock: clock, now: now)
        if let rate = pastRates.take(for: credentials.user) { client.requests.rate = rate }
        client.subscribe(to: list.served)
        guard join(client) else { return }
        greet(client, now: now)
        if client.state == .hungUp {
            // The client has sent a request and hung up immediately. The request is handled, and the connection is
            // closed.
            client.requests.wait = .nothing
            serveRequests(of: client, now: now)
        }
        updateInterest()
    }

    /// The reason why this user may not have another connection; `nil` if another one is allowed.
    private func reasonToRefuse(_ user: UInt32) -> String? {
        let limit = user == 0 ? limits.clients : limits.clients - limits.keptForRoot
        if placesTaken >= limit { return "all \(limit) connections are in use" }
        let ofUser = clientCount(of: user) + closer.count(of: user)
        if ofUser >= limits.clientsPerUser { return "uid \(user) has \(ofUser) connections already" }
        return nil
    }

    /// The number of connections that count toward the limit. Connections being closed are included, so that a user
    /// cannot fill the daemon with connections that close slowly. A user's clients and closing connections together are
    /// counted only up to the limit for one user, so that they do not reduce the number left for other users.
    private var placesTaken: Int {
        clients.count { $0.state != .closed }
            + closer.users.reduce(0) { $0 + min($1.value, max(0, limits.clientsPerUser - clientCount(of: $1.key))) }
    }

    private func clientCount(of user: UInt32) -> Int {
        clients.count { $0.state != .closed && $0.peer.credentials.user == user }
    }

    private func refuse(_ connection: consuming OwnedDescriptor, of user: UInt32, reason: String) {
        var line = JSONWriter()
        ReplyLine.failure(RequestError(.busy, reason), command: nil, id: nil, into: &line)
        // Bytes that do not fit into the socket's buffer are lost.
        _ = linux_send(connection.rawValue, line.bytes, line.bytes.count)
        closer.close(connection, of: user, scratch: scratch)
    }

    private func join(_ client: ClientConnection) -> Bool {
        do throws(SystemError) {
            // These references are unretained, because `disconnect` removes the source before the client is released.
            let pointer = Unmanaged.passUnretained(client)
            let server = Unmanaged.passUnretained(self)
            try client.watch(in: loop) { events in
                server.takeUnretainedValue().serve(pointer.takeUnretainedValue(), events)
            }
        } catch {
            report(.warning, "refused: \(error)")
            close(client)
            return false
        }
        list.append(client)
        report(.debug, "\(client.name) connected")
        return true
    }

    private func greet(_ client: ClientConnection, now: Int64) {
        var line = JSONWriter()
        ServerLine.hello(
            server: identity.server, instance: identity.instance, capabilities: identity.capabilities,
            rights: client.peer.rights, configGeneration: delegate?.configGeneration ?? 0, into: &line)
        client.enqueue(line.bytes, kind: .kept, now: now)
        enqueueState(for: client, now: now)
        client.flush(now: now)
    }

    /// Queues a `state` line.
    func enqueueState(for client: ClientConnection, now: Int64) {
        var line = JSONWriter()
        ServerLine.state(number: client.lines.number, into: &line) { delegate?.writeState(into: &$0, for: client.peer) }
        client.enqueue(line.bytes, kind: .state, now: now)
    }

    /// Sends `overflow` and `state` to a client that has caught up after a loss.
    func reportLoss(to client: ClientConnection, now: Int64) {
        guard let loss = client.endLoss() else { return }
        client.lines.number += 1
        var line = JSONWriter()
        ServerLine.overflow(
            number: client.lines.number, dropped: loss.dropped, sinceMilliseconds: (now - loss.since) / 1000,
            into: &line)
        client.enqueue(line.bytes, kind: .kept, now: now)
        enqueueState(for: client, now: now)
        client.flush(now: now)
        report(.warning, "\(client.name) read too slowly; \(loss.dropped) lines were dropped")
    }

    /// Updates the events that the loop waits for on this client's socket.
    func watch(_ client: ClientConnection) {
        let unsent = client.queue.byteCount
        let isPaused =
            !client.requests.isReady || unsent > limits.repliesAhead
            || (unsent > 0 && unsent + client.requests.lines.byteCount > limits.unreadAhead)
        do throws(SystemError) {
            try client.watch(in: loop, readingIsPaused: isPaused)
        } catch {
            report(.error, "\(client.name) closed: \(error)")
            close(client)
        }
    }

    func disconnect(_ client: ClientConnection) {
        report(.debug, "\(client.name) gone")
        close(client)
    }

    /// Closes a client's socket. The next `settle` removes it from the list.
    func close(_ client: ClientConnection) {
        client.stopWatching(loop)
        guard let socket = client.takeSocket() else { return }
        pastRates.add(client.requests.rate, of: client.peer.credentials.user, now: clock.monotonic())
        closer.close(socket, of: client.peer.credentials.user, scratch: scratch)
    }
}

extension ClientConnection {
    /// A name for the log. It contains no text that the client has chosen.
    var name: String { "\(peer.connection) (uid \(peer.credentials.user), pid \(peer.credentials.process))" }
}
