// SPDX-License-Identifier: MIT
import GestureProtocol

/// The client side of the protocol, over any number of consecutive connections. It turns lines into events, and does no
/// I/O.
package struct Session {
    /// The maximum total size in bytes of the lines of queued events. If it is exceeded, the client stops reading, so
    /// the daemon may drop lines. While the client is waiting for replies, it continues to read up to twice the limit.
    static let waitingBytes = 16 << 20
    /// The maximum length in bytes of a gesture's line that the client accepts. The daemon writes at most
    /// `ProtocolLimits.eventBytes`.
    private static let gestureBytes = 4 * ProtocolLimits.eventBytes
    /// The maximum number of gestures that have begun and not ended. There are far fewer on a real panel.
    private static let openGestures = 4096

    private let path: String
    private var queue = EventQueue()
    /// Received events that have not been taken.
    package var events: [GestureClient.Event] { Array(queue.waiting) }
    /// The number of received events that have not been taken.
    var eventCount: Int { queue.count }
    /// Whether the queue is full. If so, the client should read only while it is waiting for a reply.
    var isFull: Bool { queue.count >= ClientState.waitingEvents || queue.bytes > Self.waitingBytes }
    /// The error if the daemon has refused one of the session's own requests; otherwise `nil`.
    package private(set) var failure: ClientError?
    /// Whether the daemon has sent `hello` on this connection.
    package private(set) var isGreeted = false
    private var subscription: GestureClient.Subscription?
    private var open = OpenGestures()
    /// The regions that are defined on each new connection.
    var lease: [GestureClient.RegionDefinition] = []
    private var hello: GestureClient.Hello?
    /// The numbers of the session's own requests that have not been answered yet.
    private var subscribing: Int?
    private var leasing: Set<Int> = []
    /// The numbers of the requests on this connection that have not been answered yet, in the order in which they were sent.
    private var unanswered: [Int] = []
    private var lastID = 0

    package init(path: String) { self.path = path }

    /// Returns the number of a new request.
    package mutating func newID() -> Int {
        lastID &+= 1
        return lastID
    }

    /// - Throws: `.refused` if the daemon could not read the line: it is too long, a string contains U+0000, or values are
    ///   nested too deeply. The daemon would close the connection, or its reply would have no number.
    package static func line(
        _ command: String, id: Int, _ keys: [(String, GestureClient.JSON)] = []
    ) throws(ClientError) -> [UInt8] {
        let bytes = RequestLine(command, id: id, keys).bytes
        guard bytes.count <= ProtocolLimits.requestBytes else {
            let message = "a request must not be longer than \(ProtocolLimits.requestBytes) bytes"
            throw .refused(.init(command: command, code: .lineTooLong, message: message, diagnostics: []))
        }
        do throws(JSONError) {
            _ = try JSONDocument.read(bytes)
        } catch {
            throw .refused(.init(command: command, code: .badJSON, message: error.description, diagnostics: []))
        }
        return bytes
    }

    /// Records that a request other than the session's own has been sent.
    package mutating func noteSent(_ id: Int) { unanswered.append(id) }

    /// Replaces the stream, or ends it if `subscription` is `nil`. Events that have not been taken are dropped.
    package mutating func subscribe(_ subscription: GestureClient.Subscription?) {
        self.subscription = subscription
        open = OpenGestures(of: subscription)
        queue.removeAll()
        failure = nil
    }

    mutating func subscriptionLine() -> [UInt8] {
        do throws(ClientError) {
            let id = newID()
            subscribing = id
            let line = try Self.line("subscribe", id: id, (subscription ?? .nothing).keys)
            unanswered.append(id)
            return line
        } catch {
            failure = error
            return []
        }
    }

    /// Returns the first requests on a new connection. The leased regions are defined before the subscription is sent,
    /// because it may name them.
    package mutating func greeting() -> [UInt8] {
        hello = nil
        isGreeted = false
        leasing = []
        let lines = leaseLines()
        unanswered = leasing.sorted()
        return lines + subscriptionLine()
    }

    /// Defines all regions in one request, or each region in its own request if one request would be too long.
    private mutating func leaseLines() -> [UInt8] {
        guard !lease.isEmpty else { return [] }
        let regions = lease.map { $0.json }
        let id = newID()
        if regions.count <= ProtocolLimits.definitions,
            let line = try? Self.line("define_regions", id: id, [("lease", true), ("regions", .list(regions))])
        {
            leasing = [id]
            return line
        }
        return regions.flatMap { region -> [UInt8] in
            let id = newID()
            leasing.insert(id)
            // The line is not too long, because the region has been sent before.
            return (try? Self.line("put_region", id: id, [("lease", true), ("region", region)])) ?? []
        }
    }

    /// Updates the lease after a successful `put_region`.
    mutating func put(_ region: GestureClient.RegionDefinition, below: String?) {
        let place = lease.firstIndex { $0.id == region.id }
        if let place, below == nil {
            lease[place] = region
            return
        }
        if let place { lease.remove(at: place) }
        lease.insert(region, at: lease.firstIndex { $0.id == below } ?? lease.endIndex)
    }

    /// Removes and returns the oldest received event.
    package mutating func takeEvent() -> GestureClient.Event? { queue.takeFirst() }

    /// Removes and returns `failure`.
    package mutating func takeFailure() -> ClientError? {
        defer { failure = nil }
        return failure
    }

    /// Handles the loss of the connection.
    /// - Parameter cause: the cause; `nil` if the client closed the connection. In that case, the stream contains no
    ///   `.disconnected` event.
    package mutating func lost(_ cause: String?) {
        let cancels = open.cancelAll(.disconnected)
        subscribing = nil
        guard let cause, subscription != nil else { return }
        for cancel in cancels { queue.append(cancel) }
        queue.append(.disconnected(cause: cause))
    }

    static func parse(_ line: [UInt8], path: String) throws(ClientError) -> JSONValue {
        guard let json = JSONValue(parsing: line), json.isObject else {
            throw ClientError(.foreign("a line that is not a JSON object"), path: path)
        }
        return json
    }

    /// Handles one line from the daemon. The line must not contain its line feed.
    /// - Returns: the number of the request if the line is a reply to a request that is not the session's own.
    /// - Throws: `.wrongProtocol`, or `.unavailable` if the daemon has too many clients. In both cases, the connection
    ///   must be closed.
    @discardableResult
    package mutating func take(_ line: [UInt8]) throws(ClientError) -> Int? {
        let json = try Self.parse(line, path: path)
        if json["reply"] != nil { return try takeReply(json) }
        guard json["event"]?.string != nil else {
            throw ClientError(.foreign("a line that is neither an event nor a reply"), path: path)
        }
        do throws(ConnectionError) {
            try Connection.check(greeting: json)
        } catch {
            throw ClientError(error, path: path)
        }
        try take(GestureClient.Event(json), bytes: line.count)
        return nil
    }

    private mutating func takeReply(_ json: JSONValue) throws(ClientError) -> Int? {
        guard let id = json.wholeIfThere("id") ?? unreadRequest(of: json) else {
            // The daemon has too many clients. It closes the connection.
            let cause = GestureClient.Refusal(json, command: "").message
            throw .unavailable(path: path, cause: cause, isPermanent: false)
        }
        unanswered.removeAll { $0 == id }
        guard id == subscribing || leasing.contains(id) else { return id }
        if !json.flag("ok") { failure = .refused(.init(json, command: json.text("reply"))) }
        guard id == subscribing else { return nil }
        subscribing = nil
        if let hello, subscription != nil, json.flag("ok") { queue.append(.hello(hello)) }
        return nil
    }

    /// The request to which a reply without an id belongs, because the daemon could not read it: the oldest one, because
    /// the daemon answers in order. `nil` if the reply is about the connection.
    private func unreadRequest(of reply: JSONValue) -> Int? {
        let code = reply["error"]?["code"]?.string
        return code == nil || code == GestureClient.ErrorCode.busy.rawValue ? nil : unanswered.first
    }

    private mutating func take(_ event: GestureClient.Event, bytes: Int) throws(ClientError) {
        if case .hello(let hello) = event {
            self.hello = hello
            isGreeted = true
        }
        // Lines that arrive before the reply to the subscription belong to the previous subscription, or are sent to
        // every new client.
        guard subscribing == nil, subscription != nil else { return }
        switch event {
        case .state(var state):
            try check(state.active.count <= Self.openGestures, "a state with too many gestures")
            for cancel in open.reconcile(&state) { queue.append(cancel) }
            queue.append(.state(state), bytes: bytes)
        case .gesture(let gesture):
            try check(bytes <= Self.gestureBytes, "a gesture's line of \(bytes) bytes")
            open.follow(gesture)
            queue.append(event, bytes: bytes)
            try check(open.gestures.count <= Self.openGestures, "too many gestures that have begun")
        default:
            queue.append(event, bytes: bytes)
        }
        guard queue.bytes > 2 * Self.waitingBytes, queue.count > 1 else { return }
        open.remove(queue.removeMost())
        let cause = "too many events are waiting; the program must read them faster"
        throw .unavailable(path: path, cause: cause, isPermanent: false)
    }

    /// - Parameter what: the description of the error, which is only formatted if there is one.
    private func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws(ClientError) {
        if !isRight { throw ClientError(.foreign(what()), path: path) }
    }
}
