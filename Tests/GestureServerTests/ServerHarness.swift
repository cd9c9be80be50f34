// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem
import StreamVerifier
import Testing

@testable import GestureServer

/// A real server on a real socket in a folder of its own, on a clock that stands still.
final class ServerHarness {
    let loop: EventLoop
    let server: GestureServer
    let delegate = Delegate()
    let clock = Clock()
    let path: String
    private let folder: String

    final class Clock {
        var now: Int64 = 1_000_000
    }

    /// Answers `status` with a fixed key, refuses `regions` and `at`; counts what it is told.
    final class Delegate: GestureServerDelegate {
        var configGeneration: Int64 = 3
        var interestChanges = 0
        var ended: [Int64] = []
        var active = "[]"
        var reply = ",\"clients\":1"
        var asked: [Request] = []
        /// What everything is refused with.
        var error: RequestError?
        var whileAnswering: () -> Void = {}
        var whenEnded: () -> Void = {}

        func writeState(into json: inout JSONWriter, for peer: Peer) {
            json.append(json: "\"devices\":[],\"scene\":\"default\",\"active\":\(active)")
        }

        func respond(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestError? {
            asked.append(request)
            whileAnswering()
            json.append(json: reply)
            if let error { return error }
            if case .regions(let region?) = request.command {
                return RequestError(.notFound, "no region \"\(region)\"", suggestion: "ok")
            }
            return nil
        }

        func interestChanged() { interestChanges += 1 }

        func connectionEnded(_ connection: Int64) {
            ended.append(connection)
            whenEnded()
        }
    }

    private(set) var notices: [String] {
        get { log.notices }
        set { log.notices = newValue }
    }
    private let log = Log()

    private final class Log { var notices: [String] = [] }

    /// - Parameter takesDescriptors: as before Linux 6.16, which cannot refuse what clients pass.
    init(
        limits: ServerLimits = ServerLimits(), controlUsers: Set<UInt32> = [], takesDescriptors: Bool = false
    ) throws {
        var template = Array("/tmp/gestured-server.XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/nonexistent"
        }
        path = folder + "/socket"
        loop = try EventLoop()
        let listener = try ListenSockets.bind(path: path)
        let rawListener = listener.rawValue
        let clock = clock
        let log = log
        server = try GestureServer(
            listener: listener, loop: loop,
            identity: ServerIdentity(server: "gestured 0.1.0", instance: "b1946ac9"), limits: limits,
            clock: ServerClock(monotonic: { clock.now }, wall: { 1_795_000_000_000_000 }), ownUser: 4_000_000
        ) { log.notices.append($1) }
        server.delegate = delegate
        setRights(of: controlUsers)
        server.setSubjects(Self.subjects)
        if takesDescriptors { takeDescriptors(rawListener) }
    }

    private func takeDescriptors(_ listener: CInt) {
        Self.takeDescriptors(listener)
        server.listener?.takeConnection = { listener throws(SystemError) in
            guard let connection = try UnixSocket.accept(listener) else { return nil }
            Self.takeDescriptors(connection.rawValue)
            return connection
        }
    }

    /// Fails on an older kernel, where it is so anyway.
    private static func takeDescriptors(_ socket: CInt) {
        var on: CInt = 1
        _ = setsockopt(socket, SOL_SOCKET, 83, &on, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Gives users all rights, and takes them from all others.
    func setRights(of users: Set<UInt32>) {
        server.setAccess(AccessLists(Rights.named.map { .init($0.right, users: users) }))
    }

    deinit {
        server.stop()
        unlink(path)
        rmdir(folder)
    }

    static let subjects = [
        Subject(region: "ok", gesture: "press", name: "press", isPrivate: false),
        Subject(region: "ok", gesture: "tap", name: "buy", isPrivate: false),
        Subject(region: "kiosk.map", gesture: "drag", name: "drag", isPrivate: false),
        Subject(region: "pin", gesture: "tap", name: "tap", isPrivate: true),
    ]

    /// Lets the loop do everything that is ready now.
    func turn() {
        for _ in 0..<8 { loop.turn(timeout: 0) }
    }

    /// Lets time pass, and the server notice.
    func pass(_ microseconds: Int64) {
        clock.now += microseconds
        server.timePassed()
        turn()
    }

    /// A client that the server has not accepted yet.
    func makeClient() throws -> TestClient {
        TestClient(try UnixSocket.connect(path: path, nonBlocking: true), delegate: delegate)
    }

    /// A client that is connected and greeted, whatever user it says it is.
    func connect(as user: UInt32 = 0) throws -> TestClient {
        server.readCredentials = { _ in PeerCredentials(process: 1, user: user, group: user) }
        let client = try makeClient()
        turn()
        return client
    }

    /// The same, with hello and state read already.
    func connectGreeted(as user: UInt32 = 0) throws -> TestClient {
        let client = try connect(as: user)
        _ = client.read()
        return client
    }

    /// Sends an event with a small body that shows what it is.
    func broadcast(
        _ event: EventName = .gesture, subject: Int = 0, phase: LinePhase = .none, sequence: Int64 = 1,
        note: Int = 0, padding: Int = 0
    ) {
        var line = EventLine()
        line.start(event, subject: subject, phase: phase, sequence: sequence)
        line.body.member("n", note)
        if padding > 0 { line.body.member("padding", String(repeating: "x", count: padding)) }
        line.writeTime(clock.now - 2000)
        server.broadcast(line)
    }
}

/// The other end of a connection. Keeps what it reads and the requests that it sends for `scripts/check-lines`.
final class TestClient {
    private let socket: OwnedDescriptor
    private let delegate: ServerHarness.Delegate
    private var lines = ConnectionLines()

    init(_ socket: consuming OwnedDescriptor, delegate: ServerHarness.Delegate) {
        self.socket = socket
        self.delegate = delegate
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        let count = bytes.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) }
        #expect(count == bytes.count)
        lines.sent(bytes)
    }

    private func keep(_ bytes: [UInt8]) {
        for (line, request) in lines.received(bytes) {
            StubLines.keep(String(decoding: line, as: UTF8.self))
            // A refusal that the delegate makes up says nothing of the request.
            guard let request, delegate.error == nil else { continue }
            LineArchive.shared?.keep(request: request, reply: line)
        }
    }

    /// Everything that has arrived.
    func read() -> String {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = chunk.withUnsafeMutableBytes { linux_receive(socket.rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            result += chunk[..<count]
        }
        keep(result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Sends as much as the kernel takes.
    func offer(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        let count = max(0, bytes.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) })
        lines.sent(bytes.prefix(count))
        return count
    }

    /// Some of what has arrived.
    /// - Returns: how many bytes that was.
    func read(atMost count: Int) -> Int {
        var left = count
        var chunk = [UInt8](repeating: 0, count: 4096)
        while left > 0 {
            let most = min(left, chunk.count)
            let taken = chunk.withUnsafeMutableBytes { linux_receive(socket.rawValue, $0.baseAddress, most) }
            guard taken > 0 else { break }
            keep(Array(chunk[..<taken]))
            left -= taken
        }
        return count - left
    }

    /// Everything that has arrived, and what comes when that has made room.
    func readAll(_ harness: ServerHarness) -> String {
        var result = ""
        while true {
            harness.turn()
            let more = read()
            if more.isEmpty { return result }
            result += more
        }
    }

    /// Whether the server has closed the connection, and all is read.
    var isAtEnd: Bool {
        var byte: UInt8 = 0
        let count = linux_receive(socket.rawValue, &byte, 1)
        return count == 0 || (count < 0 && linux_errno() == ECONNRESET)
    }

    func endSending() { shutdown(socket.rawValue, CInt(SHUT_WR)) }

    func endReading() { shutdown(socket.rawValue, CInt(SHUT_RD)) }
}

extension String {
    /// The lines as JSON.
    var documents: [JSONValue] {
        split(separator: "\n").compactMap { line in
            let root = try? JSONDocument.read(String(line)).root
            if root == nil { Issue.record("no JSON: \(line)") }
            return root
        }
    }
}

extension ServerHarness {
    /// Connects without saying who it is.
    func connectAsSelf() throws -> TestClient {
        let client = try makeClient()
        turn()
        return client
    }
}
