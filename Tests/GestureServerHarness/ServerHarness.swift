// SPDX-License-Identifier: MIT
import CLinux
package import GestureProtocol
package import GestureServer
package import LinuxSystem

/// A real server with a real socket in its own folder. Its clock only advances through `pass`.
package final class ServerHarness {
    package let loop: EventLoop
    package let server: GestureServer
    package let delegate = Delegate()
    package let clock = Clock()
    package let path: String
    private let folder: String

    package final class Clock {
        package var now: Int64 = 1_000_000
    }

    /// A delegate that answers `status` with a fixed key, refuses `regions` and `at`, and counts calls.
    package final class Delegate: GestureServerDelegate {
        package var configGeneration: Int64 = 3
        package var configurationFiles: [String] = []
        package var interestChanges = 0
        package var ended: [Int64] = []
        package var active = "[]"
        /// Returns the `active` list for a peer. If it is not set, the list is the same for all peers.
        package var activeOf: ((Peer) -> String)?
        package var reply = ",\"clients\":1"
        package var asked: [Request] = []
        /// The error with which every request is refused, if any.
        package var error: RequestError?
        package var leavesReloadsPending = false
        /// Connections whose `reload` request is still to be answered.
        package var pending: [Int64] = []
        package var whileAnswering: () -> Void = {}
        package var whenEnded: () -> Void = {}

        package func writeState(into json: inout JSONWriter, for peer: Peer) {
            json.append(json: "\"devices\":[],\"scene\":\"default\",\"active\":\(activeOf?(peer) ?? active)")
        }

        package func respond(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestAnswer {
            asked.append(request)
            whileAnswering()
            json.append(json: reply)
            if let error { return .refused(error) }
            if case .regions(let region?) = request.command {
                return .refused(RequestError(.notFound, "no region \"\(region)\"", suggestion: "ok"))
            }
            guard request.name == .reload, leavesReloadsPending else { return .complete }
            pending.append(peer.connection)
            return .pending
        }

        package func interestChanged() { interestChanges += 1 }

        package func connectionEnded(_ connection: Int64) {
            ended.append(connection)
            whenEnded()
        }
    }

    package private(set) var notices: [String] {
        get { log.notices }
        set { log.notices = newValue }
    }
    private let log = Log()

    private final class Log { var notices: [String] = [] }

    /// - Parameter takesDescriptors: whether the socket accepts passed descriptors, as before Linux 6.16.
    package init(
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
        // Ends a turn as the daemon does.
        loop.setTurnHandlers(began: nil, completed: { [unowned server] in server.endTurn() })
        setRights(of: controlUsers)
        setSubjects(Self.subjects)
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

    /// Lets the socket accept passed descriptors. The option does not exist in older kernels, which always
    /// accept them.
    private static func takeDescriptors(_ socket: CInt) {
        var on: CInt = 1
        _ = setsockopt(socket, SOL_SOCKET, 83, &on, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Gives all rights to `users`, and removes them from all others.
    package func setRights(of users: Set<UInt32>) {
        server.setAccess(AccessLists(Rights.named.map { .init($0.right, users: users) }))
    }

    /// Sets the subjects and their regions.
    package func setSubjects(_ subjects: [Subject]) {
        let regions = subjects.compactMap { subject in
            subject.region.map { ServedRegion($0, isPrivate: subject.isPrivate) }
        }
        server.setSubjects(SubjectList(subjects), hasPrivate: regions.contains { $0.isPrivate }) { regions }
    }

    deinit {
        server.stop()
        unlink(path)
        rmdir(folder)
    }

    package static let subjects = [
        Subject(region: "ok", gesture: "press", name: "press", isPrivate: false),
        Subject(region: "ok", gesture: "tap", name: "buy", isPrivate: false),
        Subject(region: "kiosk.map", gesture: "drag", name: "drag", isPrivate: false),
        Subject(region: "pin", gesture: "tap", name: "tap", isPrivate: true),
    ]

    /// Runs the loop until it has done all work that is ready.
    package func turn() {
        for _ in 0..<8 { loop.turn(timeout: 0) }
    }

    /// Advances the server's clock.
    package func pass(_ microseconds: Int64) {
        clock.now += microseconds
        server.timePassed()
        turn()
    }

    /// Sends events made by `line`.
    /// - Parameters:
    ///   - count: the number of events in the batch; `note` increases by 1 with each.
    ///   - isLast: whether the turn of the loop ends after the batch.
    package func broadcast(
        _ event: EventName = .gesture, subject: Int = 0, phase: LinePhase = .none, identity: Int64 = 1,
        note: Int = 0, padding: Int = 0, isUnique: Bool = false, count: Int = 1, isLast: Bool = true
    ) {
        server.broadcast { batch in
            for note in note..<note + count {
                batch.add(
                    line(
                        event, subject: subject, phase: phase, identity: identity, note: note, padding: padding,
                        isUnique: isUnique))
            }
        }
        if isLast { server.endTurn() }
    }

    /// An event with a short body that contains `note`.
    package func line(
        _ event: EventName = .gesture, subject: Int = 0, phase: LinePhase = .none, identity: Int64 = 1, note: Int = 0,
        padding: Int = 0, isUnique: Bool = false
    ) -> EventLine {
        var line = EventLine()
        line.start(event, subject: subject, phase: phase, identity: identity)
        line.isUnique = isUnique
        line.body.member("n", note)
        if padding > 0 { line.body.member("padding", String(repeating: "x", count: padding)) }
        line.writeTime(clock.now - 2000)
        return line
    }
}

/// Sends one byte, which begins a comment, together with a descriptor (`SCM_RIGHTS`).
/// - Returns: 1, or -1 with errno.
package func pass(_ file: CInt, over socket: CInt, flags: CInt = 0) -> Int {
    // A `struct cmsghdr`, which Swift does not import, followed by the descriptor.
    var control: [UInt32] = [20, 0, UInt32(SOL_SOCKET), 1, UInt32(file), 0]
    var byte = UInt8(ascii: "#")
    return control.withUnsafeMutableBytes { control in
        withUnsafeMutablePointer(to: &byte) { byte in
            var vector = iovec(iov_base: byte, iov_len: 1)
            return withUnsafeMutablePointer(to: &vector) { vector in
                var message = msghdr()
                message.msg_iov = vector
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return sendmsg(socket, &message, flags | CInt(MSG_NOSIGNAL))
            }
        }
    }
}
