// SPDX-License-Identifier: MIT
import GestureProtocol

/// Lines in, events out, whatever carries them and whenever they come.
struct Session {
    typealias ClientError = GestureClient.ClientError

    /// A `regions` reply of thousands of regions has less.
    private static let lineLimit = 16 << 20

    private let path: String
    /// What came and was not taken yet.
    private(set) var events: [GestureClient.Event] = []
    /// Replies to requests that are not the session's own, with their numbers.
    private(set) var replies: [(id: Int, line: [UInt8])] = []
    /// The daemon refused what the session said for itself.
    private(set) var failure: ClientError?
    /// Whether this connection's daemon has said `hello`.
    private(set) var isGreeted = false
    private var subscription: GestureClient.Subscription?
    private var open = OpenGestures()
    private var lease: GestureClient.JSON?
    private var hello: GestureClient.Hello?
    private var subscribing: Int?
    private var leasing: Int?
    private var buffer: [UInt8] = []
    /// What has been searched for the end of a line.
    private var searched = 0
    private var lastID = 0

    init(path: String) { self.path = path }

    /// - Returns: the request's number and its line.
    mutating func request(
        _ command: String, _ keys: [(String, GestureClient.JSON)] = []
    ) throws(ClientError) -> (id: Int, line: [UInt8]) {
        lastID &+= 1
        return (lastID, try RequestText.line(command, id: lastID, keys))
    }

    /// Another stream, or none; what was under way in the one before is forgotten.
    mutating func subscribe(_ subscription: GestureClient.Subscription?) {
        self.subscription = subscription
        open = OpenGestures(of: subscription)
        events.removeAll()
        failure = nil
    }

    /// The request that goes with `subscribe(_:)`, on a connection that is there.
    mutating func subscriptionLine() -> [UInt8] {
        do throws(ClientError) {
            let (id, line) = try request("subscribe", (subscription ?? .nothing).keys)
            subscribing = id
            return line
        } catch {
            failure = error
            return []
        }
    }

    /// What is said on each new connection: what was leased, so that it can be subscribed to, and the filter.
    mutating func greeting() -> [UInt8] {
        buffer.removeAll()
        searched = 0
        hello = nil
        isGreeted = false
        leasing = nil
        var lines: [UInt8] = []
        // It was sent before, so it is not too long.
        if let lease, let request = try? request("define_regions", [("lease", true), ("regions", lease)]) {
            leasing = request.id
            lines = request.line
        }
        return lines + subscriptionLine()
    }

    /// What is defined again on each new connection.
    mutating func setLease(_ regions: GestureClient.JSON?) { lease = regions }

    mutating func takeEvent() -> GestureClient.Event? { events.isEmpty ? nil : events.removeFirst() }

    mutating func takeReplies() -> [(id: Int, line: [UInt8])] {
        defer { replies.removeAll() }
        return replies
    }

    mutating func takeFailure() -> ClientError? {
        defer { failure = nil }
        return failure
    }

    /// Takes what was read.
    /// - Throws: `.wrongProtocol`, or `.unavailable` from a daemon that has no place: this connection is over.
    mutating func feed(_ bytes: some Sequence<UInt8>) throws(ClientError) {
        buffer.append(contentsOf: bytes)
        while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(buffer[..<end])
            buffer.removeFirst(end + 1)
            searched = 0
            try take(line)
        }
        searched = buffer.count
        guard searched <= Self.lineLimit else {
            throw .wrongProtocol(path: path, cause: "a line of more than 16 MiB; this is no gesture daemon")
        }
    }

    /// The connection is gone.
    /// - Parameter cause: `nil`: at the client's own wish; the stream of before is over, another one knows nothing of it.
    mutating func lost(_ cause: String?) {
        let cancels = open.cancelAll(.disconnected)
        subscribing = nil
        guard let cause, subscription != nil else { return }
        events += cancels
        events.append(.disconnected(cause: cause))
    }

    static func parse(_ line: [UInt8], path: String) throws(ClientError) -> JSONDocument {
        // More levels than the protocol has: a later daemon may need them.
        let document = line.withUnsafeBufferPointer { try? JSONDocument.read($0, depth: 64) }
        guard let document, document.root.isObject else {
            throw .wrongProtocol(path: path, cause: "a line that is no JSON object; this is no gesture daemon")
        }
        return document
    }

    private mutating func take(_ line: [UInt8]) throws(ClientError) {
        let json = try Self.parse(line, path: path).root
        if json["reply"] != nil {
            try takeReply(json, line)
        } else if json["event"]?.string != nil {
            try take(GestureClient.Event(json), protocolNumber: json.whole("protocol"))
        } else {
            throw .wrongProtocol(path: path, cause: "neither event nor reply; this is no gesture daemon")
        }
    }

    private mutating func takeReply(_ json: JSONValue, _ line: [UInt8]) throws(ClientError) {
        guard let id = json.wholeIfThere("id") else {
            // To nobody's request: `busy`, and the daemon hangs up.
            let cause = GestureClient.Refusal(json, command: "").message
            throw .unavailable(path: path, cause: cause, isPermanent: false)
        }
        guard id == subscribing || id == leasing else { return replies.append((id, line)) }
        if !json.flag("ok") { failure = .refused(.init(json, command: json.text("reply"))) }
        guard id == subscribing else { return }
        subscribing = nil
        if let hello, subscription != nil, json.flag("ok") { events.append(.hello(hello)) }
    }

    private mutating func take(_ event: GestureClient.Event, protocolNumber: Int) throws(ClientError) {
        if case .hello(let hello) = event {
            guard protocolNumber == ProtocolLimits.version else {
                let cause = "protocol \(protocolNumber); this client speaks \(ProtocolLimits.version)"
                throw .wrongProtocol(path: path, cause: cause)
            }
            self.hello = hello
            isGreeted = true
        }
        // Of the filter before, or for nobody.
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
