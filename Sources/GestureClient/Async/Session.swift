// SPDX-License-Identifier: MIT
import GestureProtocol

/// The protocol as a client speaks it, over any number of connections: lines in, events out. It does no I/O.
struct Session {
    private let path: String
    /// Received events, until they are taken.
    private(set) var events: [GestureClient.Event] = []
    /// The daemon refused a request of the session's own.
    private(set) var failure: ClientError?
    /// Whether the daemon has said `hello` on this connection.
    private(set) var isGreeted = false
    private var subscription: GestureClient.Subscription?
    private var open = OpenGestures()
    private var lease: GestureClient.JSON?
    private var hello: GestureClient.Hello?
    /// The numbers of the session's own requests that have no reply yet.
    private var subscribing: Int?
    private var leasing: Int?
    private var lastID = 0

    init(path: String) { self.path = path }

    /// The number of a new request.
    mutating func newID() -> Int {
        lastID &+= 1
        return lastID
    }

    /// - Throws: `.refused` for a line that is longer than the daemon takes: it would hang up.
    static func line(
        _ command: String, id: Int, _ keys: [(String, GestureClient.JSON)] = []
    ) throws(ClientError) -> [UInt8] {
        let bytes = RequestLine(command, id: id, keys).bytes
        guard bytes.count <= ProtocolLimits.requestBytes else {
            let message = "a request has at most \(ProtocolLimits.requestBytes) bytes"
            throw .refused(.init(command: command, code: .lineTooLong, message: message, diagnostics: []))
        }
        return bytes
    }

    /// Replaces the stream, or ends it with `nil`. Events that were not taken are dropped.
    mutating func subscribe(_ subscription: GestureClient.Subscription?) {
        self.subscription = subscription
        open = OpenGestures(of: subscription)
        events.removeAll()
        failure = nil
    }

    /// The request for the current subscription.
    mutating func subscriptionLine() -> [UInt8] {
        do throws(ClientError) {
            let id = newID()
            subscribing = id
            return try Self.line("subscribe", id: id, (subscription ?? .nothing).keys)
        } catch {
            failure = error
            return []
        }
    }

    /// The first requests on a new connection: the leased regions, so that they can be subscribed to, then the
    /// subscription.
    mutating func greeting() -> [UInt8] {
        hello = nil
        isGreeted = false
        leasing = lease == nil ? nil : newID()
        guard let lease, let leasing else { return subscriptionLine() }
        // It was sent before, so it is not too long.
        let line = try? Self.line("define_regions", id: leasing, [("lease", true), ("regions", lease)])
        return (line ?? []) + subscriptionLine()
    }

    /// The regions to define on each new connection.
    mutating func setLease(_ regions: GestureClient.JSON?) { lease = regions }

    mutating func takeEvent() -> GestureClient.Event? { events.isEmpty ? nil : events.removeFirst() }

    mutating func takeFailure() -> ClientError? {
        defer { failure = nil }
        return failure
    }

    /// The connection is gone.
    /// - Parameter cause: `nil`: the client has closed it. Then no stream gets `.disconnected`.
    mutating func lost(_ cause: String?) {
        let cancels = open.cancelAll(.disconnected)
        subscribing = nil
        guard let cause, subscription != nil else { return }
        events += cancels
        events.append(.disconnected(cause: cause))
    }

    static func parse(_ line: [UInt8], path: String) throws(ClientError) -> JSONValue {
        guard let json = JSONValue(parsing: line), json.isObject else {
            throw ClientError(.foreign("a line that is no JSON object"), path: path)
        }
        return json
    }

    /// Takes one line of the daemon, without its line feed.
    /// - Returns: the number of a request that is not the session's own, when this is its reply.
    /// - Throws: `.wrongProtocol`, or `.unavailable` from a daemon with too many clients. The connection must be closed.
    @discardableResult
    mutating func take(_ line: [UInt8]) throws(ClientError) -> Int? {
        let json = try Self.parse(line, path: path)
        if json["reply"] != nil { return try takeReply(json) }
        guard json["event"]?.string != nil else {
            throw ClientError(.foreign("neither event nor reply"), path: path)
        }
        do throws(ConnectionError) {
            try Connection.check(greeting: json)
        } catch {
            throw ClientError(error, path: path)
        }
        take(GestureClient.Event(json))
        return nil
    }

    private mutating func takeReply(_ json: JSONValue) throws(ClientError) -> Int? {
        guard let id = json.wholeIfThere("id") else {
            // The daemon has too many clients, and closes the connection.
            let cause = GestureClient.Refusal(json, command: "").message
            throw .unavailable(path: path, cause: cause, isPermanent: false)
        }
        guard id == subscribing || id == leasing else { return id }
        if !json.flag("ok") { failure = .refused(.init(json, command: json.text("reply"))) }
        guard id == subscribing else { return nil }
        subscribing = nil
        if let hello, subscription != nil, json.flag("ok") { events.append(.hello(hello)) }
        return nil
    }

    private mutating func take(_ event: GestureClient.Event) {
        if case .hello(let hello) = event {
            self.hello = hello
            isGreeted = true
        }
        // Before the reply comes what an earlier filter lets through, or what every new client is sent.
        guard subscribing == nil, subscription != nil else { return }
        switch event {
        case .state(var state):
            events += open.reconcile(&state)
            events.append(.state(state))
        case .gesture(let gesture):
            open.follow(gesture)
            events.append(event)
        default:
            events.append(event)
        }
    }
}
