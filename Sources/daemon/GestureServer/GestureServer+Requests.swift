// SPDX-License-Identifier: MIT
package import GestureProtocol
import LinuxSystem

extension GestureServer {
    /// Handles the events that the loop reported for a client's socket.
    func serve(_ client: ClientConnection, _ events: IOEvents) {
        let now = clock.monotonic()
        // Both directions are closed. Changes that the client has already requested are still made.
        if !events.isDisjoint(with: [.hangup, .error]) { client.advance(to: .hungUp) }
        if events.contains(.writable) { client.resumeWriting(now: now) }
        if events.contains(.readable) { read(client, now: now) }
        if client.state != .hungUp || !client.requests.isPutOff { serveRequests(of: client, now: now) }
        settle(now: now)
    }

    private func read(_ client: ClientConnection, now: Int64) {
        guard client.mayReceive else { return }
        switch client.receive(into: scratch) {
        case .some: serveRequests(of: client, now: now)
        case .nothing: break
        case .ended: client.advance(to: .inputEnded)
        case .failed: close(client)
        case .descriptors:
            report(.warning, "\(client.name) passed a descriptor; disconnected")
            close(client)
        }
    }

    /// Answers received requests in order, within the limits.
    func serveRequests(of client: ClientConnection, now: Int64) {
        while client.state != .closed, client.requests.isReady {
            if client.requests.lines.isTooLong { return refuseTooLong(client, now: now) }
            let hasLine = client.requests.lines.hasLine()
            guard client.state == .hungUp || (hasLine && client.queue.byteCount <= limits.repliesAhead) else { break }
            guard budget.hasLeft(in: loop.schedule.turnCount, now: clock.monotonic(), limit: limits.turnBudget) else {
                client.requests.wait = .turn(since: now)
                break
            }
            guard hasLine else {
                // The loop reports no more input from a client that has hung up, so all of it is read here.
                if client.receive(into: scratch) == .some { continue }
                break
            }
            if let time = client.requests.rate.take(now: now) {
                client.requests.wait = .rate(until: time)
                break
            }
            let line = client.requests.lines.takeLine()
            answer(line, of: client, now: now)
        }
        if client.state == .hungUp, !client.requests.isPutOff {
            // If a request is pending, the requests after it are handled once it has been answered.
            return client.requests.pending == nil ? close(client) : client.stopWatching(loop)
        }
        // A blocked client is flushed once its socket is writable, unless its lines are too old by then.
        if !client.isBlocked { client.flush(now: now) }
    }

    /// Continues with postponed requests, starting with a different client each time.
    func resumeRequests(now: Int64) {
        // This is a copy, because answering a request may end any connection.
        let waiting = clients
        let start = budget.nextClient
        for offset in waiting.indices {
            let index = (start + offset) % waiting.count
            let client = waiting[index]
            guard client.state != .closed, let time = client.requests.resumesAt, time <= now else { continue }
            budget.nextClient = index + 1
            client.requests.wait = .nothing
            serveRequests(of: client, now: now)
            if client.requests.isPutOff { break }
        }
    }

    private func refuseTooLong(_ client: ClientConnection, now: Int64) {
        let error = RequestError(.lineTooLong, "a request must not be longer than \(ProtocolLimits.requestBytes) bytes")
        reply(error, to: client, command: nil, id: nil, now: now)
        client.flush(now: now)
        report(.warning, "\(client.name) sent a line that is too long; disconnected")
        close(client)
    }

    private func answer(_ line: [UInt8], of client: ClientConnection, now: Int64) {
        switch line.withUnsafeBufferPointer({ RequestReader.read($0) }) {
        case .refused(let command, let id, let error):
            reply(error, to: client, command: command, id: id, now: now)
        case .request(let request):
            if let error = refusal(of: request, by: client.peer) {
                return reply(error, to: client, command: request.name, id: request.id, now: now)
            }
            // For a client that has hung up, only requests with effects on others are handled.
            guard client.state < .hungUp || request.name.changesSomething else { return }
            answer(request, of: client, now: now)
        }
    }

    /// The reason why a peer lacks the rights to make a request; `nil` if it has them. `Peer.lease` refuses requests that
    /// lack only the right for their lease.
    private func refusal(of request: Request, by peer: Peer) -> RequestError? {
        let enough = request.name == .subscribe ? request.sufficientRights : request.name.rights
        let isAllowed = enough.isEmpty || !peer.rights.isDisjoint(with: enough)
        let needsPrivate = list.served.hasPrivate && request.privateEffect.isRefused && !peer.seesPrivate
        guard !isAllowed || needsPrivate else { return nil }
        let missing = (isAllowed ? [] : request.sufficientRights).union(needsPrivate ? .seesPrivate : [])
        return missing.denial(
            of: request.subject, to: peer.credentials.user, needsAll: needsPrivate, files: configurationFiles)
    }

    private func answer(_ request: Request, of client: ClientConnection, now: Int64) {
        let asked: ClientRequests.Asked = (request.name, request.id)
        let state = answer(asked, of: client, now: now) { writeAnswer(to: request, of: client, into: &$0) }
        switch state {
        // No `state` is needed during a loss, because one follows `overflow`.
        case .complete where request.name == .subscribe && client.lines.loss == nil:
            enqueueState(for: client, now: now)
        case .complete, .refused: break
        case .pending: client.requests.wait = .answer(asked)
        }
    }

    private var configurationFiles: [String] { delegate?.configurationFiles ?? [] }

    /// The peer of a connection, with its current rights; `nil` if the connection has ended.
    package func peer(of connection: Int64) -> Peer? { clients.first { $0.peer.connection == connection }?.peer }

    /// Answers the request that `respond` has left pending on this connection, and continues with later ones. Does
    /// nothing if the connection has ended.
    /// - Parameter write: writes the answer like `respond`, but must not leave the request pending.
    package func answerPending(of connection: Int64, _ write: (inout JSONWriter) -> RequestAnswer) {
        guard let client = clients.first(where: { $0.peer.connection == connection }),
            let asked = client.requests.pending
        else { return }
        let now = clock.monotonic()
        client.requests.wait = .nothing
        _ = answer(asked, of: client, now: now, write)
        serveRequests(of: client, now: now)
        settle(now: now)
    }

    /// Queues the reply, unless the request is pending.
    private func answer(
        _ asked: ClientRequests.Asked, of client: ClientConnection, now: Int64,
        _ write: (inout JSONWriter) -> RequestAnswer
    ) -> RequestAnswer {
        var line = JSONWriter()
        var state = RequestAnswer.complete
        ReplyLine.success(asked.command, id: asked.id, into: &line) { state = write(&$0) }
        switch state {
        case .complete: client.enqueue(line.bytes, kind: .kept, now: now)
        case .refused(let error): reply(error, to: client, command: asked.command, id: asked.id, now: now)
        case .pending: break
        }
        return state
    }

    private func writeAnswer(
        to request: Request, of client: ClientConnection, into json: inout JSONWriter
    ) -> RequestAnswer {
        switch request.command {
        case .subscribe(let subscription):
            subscribe(client, to: subscription, into: &json)
        case .ping: break
        case .clients: writeClients(for: client, into: &json)
        case .state: delegate?.writeState(into: &json, for: client.peer)
        case .status, .devices, .regions, .at, .describe, .reload, .cancel, .activity, .setRegion, .setScene,
            .setProfile, .setOutput, .defineRegions, .putRegion, .removeRegion, .counts, .touchMap:
            return delegate?.respond(to: request, from: client.peer, into: &json) ?? .complete
        }
        return .complete
    }

    private func reply(
        _ error: RequestError, to client: ClientConnection, command: CommandName?, id: RequestID?, now: Int64
    ) {
        var line = JSONWriter()
        ReplyLine.failure(error, command: command, id: id, into: &line)
        client.enqueue(line.bytes, kind: .kept, now: now)
    }

    /// Replaces the client's subscription. Writes `unmatched` if there are globs that match no region.
    private func subscribe(
        _ client: ClientConnection, to request: SubscriptionRequest, into json: inout JSONWriter
    ) {
        let maySeePrivate = client.peer.seesPrivate
        client.enqueueDue(until: .max, now: clock.monotonic())
        client.subscribe(request, to: list.served)
        client.throttle = request.maxRate.map { UpdateThrottle(rate: $0) }
        let regions = request.regions == nil ? [] : list.served.regions()
        let unmatched = (request.regions ?? []).filter { pattern in
            let glob = Glob(pattern)
            // Globs must not reveal the names of private regions.
            return !regions.contains { (maySeePrivate || !$0.isPrivate) && glob.matches($0.id) }
        }
        if !unmatched.isEmpty {
            json.member("unmatched", unmatched)
        }
        updateInterest()
    }

    /// Writes `"clients":[…]` in the order of connection: the identity and backlog of each client.
    ///
    /// - Parameter asker: the client that receives the reply. It sees the identity of others only with the right to
    ///   control the daemon. Subscribed regions and queued bytes are hidden if they may concern private regions.
    private func writeClients(for asker: ClientConnection, into json: inout JSONWriter) {
        json.array("clients") { json in
            for client in clients {
                json.object { Self.write(client, for: asker, into: &$0) }
            }
        }
    }

    private static func write(_ client: ClientConnection, for asker: ClientConnection, into json: inout JSONWriter) {
        let isKnown = client === asker || asker.peer.mayControl
        if isKnown {
            json.member("uid", Int64(client.peer.credentials.user))
            json.member("pid", Int64(client.peer.credentials.process))
        }
        let isTold = isKnown && (client === asker || asker.peer.seesPrivate || !client.peer.seesPrivate)
        let request = client.filter.request
        json.member("events", EventName.allCases.filter { request.events.contains($0) }.map { $0.word })
        if let regions = request.regions, isTold { json.member("regions", regions) }
        if isTold {
            json.member("queued_bytes", client.queue.byteCount)
            json.member("dropped", client.lines.dropped)
        }
        json.member("self", client === asker)
    }
}
