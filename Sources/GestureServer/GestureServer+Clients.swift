// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// Who comes, who is turned away, who goes.
extension GestureServer {
    /// Takes the connections that wait; the listener calls it.
    func acceptWaiting() {
        let now = clock.monotonic()
        let error = listener?.accept(now: now) { connection in
            admit(connection, now: now)
        }
        if let error { report(.warning, "accept failed, trying again later: \(error)") }
        settle(now: now)
    }

    private func admit(_ connection: consuming OwnedDescriptor, now: Int64) {
        let credentials: PeerCredentials
        do throws(SystemError) {
            credentials = try readCredentials(connection.rawValue)
        } catch {
            return report(.warning, "client: refused: \(error)")
        }
        if let reason = reasonToRefuse(credentials.user) {
            report(.warning, "client: refused a connection of uid \(credentials.user): \(reason)")
            return refuse(connection, reason: reason, now: now)
        }
        connectionsAccepted += 1
        let peer = Peer(
            credentials: credentials, connection: connectionsAccepted, mayControl: mayControl(credentials.user))
        connection.limitSendBuffer(to: limits.socketBuffer)
        let client = ClientConnection(socket: connection, peer: peer, limits: limits, clock: clock, now: now)
        client.subscribe(among: subjects, hasPrivate: hasPrivate)
        guard join(client) else { return }
        greet(client, now: now)
        if client.hasHungUp {
            // It has asked for something and waits for no answer, or is one of a storm: its place is free again.
            client.resumeReadingAt = nil
            serveRequests(of: client, now: now)
        }
        updateInterest()
    }

    /// Why one more connection of this user is too many; `nil` when it is not.
    private func reasonToRefuse(_ user: UInt32) -> String? {
        let limit = user == 0 ? limits.clients : limits.clients - limits.keptForRoot
        let present = clients.count { !$0.isFailed }
        if present >= limit { return "all \(limit) places are taken" }
        let ofUser = clients.count { !$0.isFailed && $0.peer.credentials.user == user }
        if ofUser >= limits.clientsPerUser { return "uid \(user) has \(ofUser) connections already" }
        return nil
    }

    private func refuse(_ connection: consuming OwnedDescriptor, reason: String, now: Int64) {
        var line = JSONWriter()
        ReplyLine.failure(RequestError(.busy, reason), command: nil, id: nil, into: &line)
        connection.sendOnce(line.bytes)
    }

    private func join(_ client: ClientConnection) -> Bool {
        do throws(SystemError) {
            // Unretained: the source goes before the client does, in `disconnect`.
            let pointer = Unmanaged.passUnretained(client)
            let server = Unmanaged.passUnretained(self)
            client.source = try loop.add(client.descriptor, events: .readable) { events in
                server.takeUnretainedValue().serve(pointer.takeUnretainedValue(), events)
            }
        } catch {
            report(.warning, "client: refused: \(error)")
            return false
        }
        clients.append(client)
        report(.debug, "client: \(client.name) connected")
        return true
    }

    private func greet(_ client: ClientConnection, now: Int64) {
        var line = JSONWriter()
        ServerLine.hello(
            server: identity.server, instance: identity.instance, capabilities: identity.capabilities,
            configGeneration: delegate?.configGeneration ?? 0, into: &line)
        client.queue.append(line.bytes, kind: .kept, time: now)
        appendState(to: client, now: now)
        client.flush(now: now)
    }

    /// Queues what is true now.
    func appendState(to client: ClientConnection, now: Int64) {
        var line = JSONWriter()
        ServerLine.state(number: client.number, into: &line) { delegate?.writeState(into: &$0, for: client.peer) }
        client.queue.append(line.bytes, kind: .state, time: now)
    }

    /// The client has caught up: tells it what it missed, and what is true now.
    func tellLoss(to client: ClientConnection, now: Int64) {
        guard let loss = client.endLoss() else { return }
        client.number += 1
        var line = JSONWriter()
        ServerLine.overflow(
            number: client.number, dropped: loss.dropped, sinceMilliseconds: (now - loss.since) / 1000, into: &line)
        client.queue.append(line.bytes, kind: .kept, time: now)
        appendState(to: client, now: now)
        client.flush(now: now)
        report(.warning, "client: \(client.name) read too slowly, \(loss.dropped) lines dropped")
    }

    /// Tells the loop what to wait for on this client's socket.
    func watch(_ client: ClientConnection) {
        guard let source = client.source else { return }
        let unsent = client.queue.byteCount
        let isPaused =
            client.resumeReadingAt != nil || unsent > limits.repliesAhead
            || (unsent > 0 && unsent + client.input.byteCount > limits.unreadAhead)
        do throws(SystemError) {
            try loop.modify(source, events: client.wantedEvents(readingIsPaused: isPaused))
        } catch {
            report(.error, "client: \(client.name) closed: \(error)")
            client.close(removingFrom: loop)
        }
    }

    func disconnect(_ client: ClientConnection) {
        report(.debug, "client: \(client.name) gone")
        client.close(removingFrom: loop)
    }
}

extension ClientConnection {
    /// For the log: nothing that the client chose.
    var name: String { "\(peer.connection) (uid \(peer.credentials.user), pid \(peer.credentials.process))" }

    func close(removingFrom loop: EventLoop) {
        if let source { loop.remove(source) }
        source = nil
        close()
    }
}
