// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import CLinux
import LinuxSystem
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Accepts connections from browsers. All connections are handled on one loop.
final class Bridge: Sendable {
    typealias JobMaker = @Sendable (_ name: String, _ limits: ChildJob.Limits, _ arguments: [String]) -> ChildJob

    /// The lower and upper limits in bytes on the data that waits for a browser. Above the upper limit, the daemon's
    /// lines are not read, so the daemon drops lines and reports this.
    private static let unsent = ChannelOptions.Types.WriteBufferWaterMark(low: 4096, high: 16_384)
    /// The requested size of the send buffer in bytes. The kernel doubles it.
    private static let sendBuffer: Int = 32_768
    /// The maximum size of a frame in bytes. It is larger than a line that the daemon accepts.
    private static let largestFrame = 65_536
    /// The maximum number of bytes that are read from a connection at once, so that one page does not block the loop
    /// for the others.
    private static let readSize = 8192
    /// The maximum number of connections to the daemon that are used for answers derived from its replies. Each of them
    /// reduces the number of connections that are left for pages.
    private static let mostQueries = 2

    private static let headLimits: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8192
        limits.maxHeaderListSize = 16_384
        limits.maxHeaderFieldCount = 64
        return limits
    }()

    let loop: any NIOCore.EventLoop
    let makeJob: JobMaker
    /// Threads that wait for the processes of jobs, one thread for each job.
    private let jobThreads = NIOThreadPool(numberOfThreads: Places<ObjectIdentifier>.mostJobs)
    /// A thread that parses data for which a turn of the loop is too short: replies of the daemon, and long messages of
    /// pages.
    private let reader = NIOThreadPool(numberOfThreads: 1)
    private let state: NIOLoopBoundBox<State>

    /// The mutable state; used only on the loop.
    struct State: Sendable {
        var settings: WebSettings
        /// The users that may connect to the loopback address. If it is empty, all users may connect.
        var users: Set<UInt32>
        var places = Places<ObjectIdentifier>()
        var channels: [ObjectIdentifier: any Channel] = [:]
        var queries = 0
        var waitingQueries = CircularBuffer<EventLoopPromise<Void>>()
        var isWorking = false
    }

    /// - Parameter makeJob: creates a job. Tests use it to start another program.
    init(
        _ settings: WebSettings, loop: any NIOCore.EventLoop,
        makeJob: @escaping JobMaker = { ChildJob($0, $1, arguments: $2) }
    ) {
        self.loop = loop
        self.makeJob = makeJob
        state = .makeBoxSendingValue(
            State(settings: settings, users: Self.numbers(of: settings.users)), eventLoop: loop)
    }

    var policy: Policy { Policy(settings: state.value.settings) }

    /// Applies other settings to future connections. The listening address does not change.
    func apply(_ settings: WebSettings) {
        loop.execute { [state] in
            state.value.settings = settings
            state.value.users = Self.numbers(of: settings.users)
        }
    }

    /// Returns the users that may connect. A list of unknown names admits only root, whereas an empty list admits
    /// everyone.
    private static func numbers(of users: [WebSettings.User]) -> Set<UInt32> {
        Set(
            users.map { user in
                switch user {
                case .number(let number): number
                // The highest number is never the uid of a user.
                case .name(let name): Users.number(of: name, isGroup: false) ?? .max
                }
            })
    }

    /// Takes ownership of a listening socket, and accepts its connections.
    func listen(at socket: CInt) -> EventLoopFuture<any Channel> {
        ServerBootstrap(group: loop)
            .childChannelOption(.socketOption(.so_sndbuf), value: Self.sendBuffer)
            .childChannelOption(.writeBufferWaterMark, value: Self.unsent)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.admit(channel) }
            }
            .withBoundSocket(socket)
    }

    // MARK: Connections

    /// Closes a connection without an answer.
    private struct Refusal: Error {}

    /// - Throws: `Refusal` if the user may not connect.
    private func admit(_ channel: any Channel) throws {
        let owner = Self.owner(of: channel)
        guard mayConnect(channel, owner) else { throw Refusal() }
        let id = ObjectIdentifier(channel)
        close(state.value.places.add(id, owner))
        state.value.channels[id] = channel
        channel.closeFuture.whenComplete { [state] _ in
            state.value.places.remove(id)
            state.value.channels[id] = nil
        }
        let requests = RequestHandler(self)
        let box = NIOLoopBound(requests, eventLoop: channel.eventLoop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withServerUpgrade: (
                upgraders: [upgrader()],
                completionHandler: { context in context.pipeline.syncOperations.removeHandler(box.value, promise: nil) }
            ),
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: Self.headLimits)
        try pipeline.addHandler(requests)
    }

    private func close(_ id: ObjectIdentifier?) {
        guard let id else { return }
        state.value.channels[id]?.close(promise: nil)
    }

    /// Returns the user of the process at the other end of a loopback connection. All visitors through a proxy at a
    /// Unix socket have the same owner.
    private static func owner(of channel: any Channel) -> Owner {
        guard let local = channel.localAddress, let peer = channel.remoteAddress else { return .address("") }
        var user = uid_t.max
        let result = local.withSockAddr { here, _ in
            peer.withSockAddr { there, _ in linux_connection_user(here, there, &user) }
        }
        return result < 0 ? .address(peer.ipAddress ?? "") : .user(user)
    }

    /// Whether the owner may connect. Root may always connect, as to the daemon.
    private func mayConnect(_ channel: any Channel, _ owner: Owner) -> Bool {
        let users = state.value.users
        guard !users.isEmpty, let local = channel.localAddress else { return true }
        if case .unixDomainSocket = local { return true }
        guard case .user(let user) = owner else { return false }
        return user == 0 || users.contains(user)
    }

    private func upgrader() -> NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            maxFrameSize: Self.largestFrame,
            // `PageStream` handles errors itself, because it must wait until the page has read the reason.
            automaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                let isAllowed = self.mayOpenSocket(head) && self.takePage(channel)
                return channel.eventLoop.makeSucceededFuture(isAllowed ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in PageStream.open(channel, .webSocket, self) })
    }

    /// Whether a request is upgraded to a WebSocket. If not, the request handler answers it.
    private func mayOpenSocket(_ head: HTTPRequestHead) -> Bool {
        head.uri == "/socket" && policy.isOwn(head.headers) && policy.relation(head.headers) != .stranger
    }

    // MARK: Places

    /// Registers a connection as a page until its channel closes.
    /// - Returns: `false` if there are too many.
    func takePage(_ channel: any Channel) -> Bool {
        let limit = state.value.settings.limits.pages
        let (isTaken, victim) = state.value.places.takePage(ObjectIdentifier(channel), limit: limit, now: .now())
        end(victim)
        return isTaken
    }

    /// Whether this connection cannot become a page, because there are too many pages.
    func isFull(for channel: any Channel) -> Bool {
        guard let owner = state.value.places.owner(of: ObjectIdentifier(channel)) else { return true }
        return !state.value.places.hasPlace(for: owner, limit: state.value.settings.limits.pages, now: .now())
    }

    /// Ends a page of another owner, so that the daemon can accept a new connection for this request.
    /// - Returns: `false` if no other owner has more than its share of pages.
    func makeRoom(for channel: any Channel) -> Bool {
        guard let owner = state.value.places.owner(of: ObjectIdentifier(channel)) else { return false }
        let victim = state.value.places.makeRoom(for: owner, now: .now())
        end(victim)
        return victim != nil
    }

    /// Records that the daemon has accepted this page.
    func greet(_ channel: any Channel) { state.value.places.greet(ObjectIdentifier(channel)) }

    private func end(_ page: ObjectIdentifier?) {
        guard let page, let channel = state.value.channels[page] else { return }
        channel.pipeline.fireUserInboundEventTriggered(PageStream.End.daemonGone)
    }

    /// Informs all pages that the bridge stops.
    /// - Returns: a future that completes when they have closed their connections, or after a timeout.
    func stop() -> EventLoopFuture<Void> {
        loop.flatSubmit { [loop, state] in
            let pages = state.value.places.pages.compactMap { state.value.channels[$0] }
            for page in pages { page.pipeline.fireUserInboundEventTriggered(PageStream.End.bridgeStops) }
            return EventLoopFuture.andAllComplete(pages.map { $0.closeFuture }, on: loop)
        }
    }

    /// Registers a connection as a job until its channel closes.
    /// - Returns: `false` if there are too many.
    func takeJob(_ channel: any Channel) -> Bool { state.value.places.takeJob(ObjectIdentifier(channel)) }

    /// The numbers of connections and pages, for the metrics.
    var counts: (connections: Int, pages: Int) { (state.value.places.count, state.value.places.pageCount) }

    // MARK: Threads

    /// Runs work that waits for a job. Call this on the loop.
    func work<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) -> EventLoopFuture<Result> {
        startThreads()
        return jobThreads.runIfActive(eventLoop: loop, body)
    }

    /// Runs work that parses long data. Call this on the loop.
    func read<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) -> EventLoopFuture<Result> {
        startThreads()
        return reader.runIfActive(eventLoop: loop, body)
    }

    private func startThreads() {
        guard !state.value.isWorking else { return }
        state.value.isWorking = true
        jobThreads.start()
        reader.start()
    }

    /// Calls `body` as soon as fewer than `mostQueries` other queries are in progress. Call this on the loop.
    func query<Result: Sendable>(
        _ body: @escaping @Sendable () -> EventLoopFuture<Result>
    ) -> EventLoopFuture<Result> {
        let turn = loop.makePromise(of: Void.self)
        state.value.waitingQueries.append(turn)
        beginQueries()
        return turn.futureResult.flatMap(body).always { [state] _ in
            state.value.queries -= 1
            self.beginQueries()
        }
    }

    /// Closes all connections, which ends their jobs, and waits for the threads. Do not call this on the loop.
    func shutDown() throws {
        try loop.submit { [state] in for channel in state.value.channels.values { channel.close(promise: nil) } }.wait()
        try jobThreads.syncShutdownGracefully()
        try reader.syncShutdownGracefully()
    }

    private func beginQueries() {
        while state.value.queries < Self.mostQueries, let next = state.value.waitingQueries.popFirst() {
            state.value.queries += 1
            next.succeed()
        }
    }
}
#endif
