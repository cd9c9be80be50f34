// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Takes connections of browsers. Everything happens on one loop.
final class Bridge: Sendable {
    /// Bytes that wait for a browser before the daemon's lines are left in the daemon, which drops them and says so.
    private static let unsent = ChannelOptions.Types.WriteBufferWaterMark(low: 4096, high: 16_384)
    /// The kernel doubles it.
    private static let sendBuffer: Int = 32_768
    /// Connections besides those of pages: requests that are answered at once.
    private static let briefConnections = 64
    /// Bytes of a frame, more than the daemon takes of a line.
    private static let largestFrame = 65_536

    private static let headLimits: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8192
        limits.maxHeaderListSize = 16_384
        limits.maxHeaderFieldCount = 64
        return limits
    }()

    /// Replays and checks at a time, those included whose bodies are still coming.
    private static let mostJobs = 4

    let loop: any NIOCore.EventLoop
    /// What takes longer than a turn of the loop may. One thread: started with the first of it.
    private let worker = NIOThreadPool(numberOfThreads: 1)
    private let state: NIOLoopBoundBox<State>

    /// What changes while it runs; only on the loop.
    struct State: Sendable {
        var settings: WebSettings
        /// Who may connect to the loopback address; empty: everybody.
        var users: Set<UInt32>
        var connections = 0
        var pages: [ObjectIdentifier: any Channel] = [:]
        var jobs = 0
        var isWorking = false
    }

    init(_ settings: WebSettings, loop: any NIOCore.EventLoop) {
        self.loop = loop
        state = .makeBoxSendingValue(
            State(settings: settings, users: Self.numbers(of: settings.users)), eventLoop: loop)
    }

    var policy: Policy { Policy(settings: state.value.settings) }

    /// Takes other settings for connections that are yet to come; where it listens stays.
    func apply(_ settings: WebSettings) {
        loop.execute { [state] in
            state.value.settings = settings
            state.value.users = Self.numbers(of: settings.users)
        }
    }

    /// Who may connect. A list whose names no user has lets nobody in but root, and is not the same as an empty list.
    private static func numbers(of users: [WebSettings.User]) -> Set<UInt32> {
        Set(
            users.map { user in
                switch user {
                case .number(let number): number
                // No user has the highest number.
                case .name(let name): Users.number(of: name, isGroup: false) ?? .max
                }
            })
    }

    /// Accepts connections at a socket that listens, which it owns from now on.
    func listen(at socket: CInt) -> EventLoopFuture<any Channel> {
        ServerBootstrap(group: loop)
            .childChannelOption(.socketOption(.so_sndbuf), value: Self.sendBuffer)
            .childChannelOption(.writeBufferWaterMark, value: Self.unsent)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.admit(channel) }
            }
            .withBoundSocket(socket)
    }

    /// A connection that is closed without an answer.
    private struct Refusal: Error {}

    /// - Throws: `Refusal` if there are too many connections, or the user may not connect.
    private func admit(_ channel: any Channel) throws {
        let limit = state.value.settings.limits.pages + Self.briefConnections
        guard state.value.connections < limit, mayConnect(channel) else { throw Refusal() }
        state.value.connections += 1
        channel.closeFuture.whenComplete { [state] _ in state.value.connections -= 1 }
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

    /// Root may, as it may everything with the daemon.
    private func mayConnect(_ channel: any Channel) -> Bool {
        let users = state.value.users
        guard !users.isEmpty, let local = channel.localAddress, let peer = channel.remoteAddress else { return true }
        if case .unixDomainSocket = local { return true }
        var user = uid_t.max
        let result = local.withSockAddr { here, _ in
            peer.withSockAddr { there, _ in linux_connection_user(here, there, &user) }
        }
        return result >= 0 && (user == 0 || users.contains(user))
    }

    private func upgrader() -> NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            maxFrameSize: Self.largestFrame,
            shouldUpgrade: { channel, head in
                let isAllowed = self.mayOpenSocket(head) && self.takePage(channel)
                return channel.eventLoop.makeSucceededFuture(isAllowed ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in PageStream.open(channel, .webSocket, self.policy) })
    }

    /// What is refused here is answered by the handler of requests.
    private func mayOpenSocket(_ head: HTTPRequestHead) -> Bool {
        head.uri == "/socket" && policy.isOwn(head.headers)
            && policy.relation(head.headers, isWebSocket: true) != .stranger
    }

    /// Counts a page until its channel closes.
    /// - Returns: `false` if there are too many.
    func takePage(_ channel: any Channel) -> Bool {
        guard !isFull else { return false }
        state.value.pages[ObjectIdentifier(channel)] = channel
        channel.closeFuture.whenComplete { [state] _ in state.value.pages[ObjectIdentifier(channel)] = nil }
        return true
    }

    var isFull: Bool { state.value.pages.count >= state.value.settings.limits.pages }

    /// Tells all pages that the bridge stops.
    /// - Returns: when they have hung up, or did not in time.
    func stop() -> EventLoopFuture<Void> {
        loop.flatSubmit { [loop, state] in
            let pages = Array(state.value.pages.values)
            for page in pages { page.pipeline.fireUserInboundEventTriggered(PageStream.End.bridgeStops) }
            return EventLoopFuture.andAllComplete(pages.map { $0.closeFuture }, on: loop)
        }
    }

    /// Counts a job until its channel closes.
    /// - Returns: `false` if there are too many.
    func takeJob(_ channel: any Channel) -> Bool {
        guard state.value.jobs < Self.mostJobs else { return false }
        state.value.jobs += 1
        channel.closeFuture.whenComplete { [state] _ in state.value.jobs -= 1 }
        return true
    }

    /// Runs `body` on the worker's thread; call it on the loop.
    func work<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) -> EventLoopFuture<Result> {
        if !state.value.isWorking { worker.start() }
        state.value.isWorking = true
        return worker.runIfActive(eventLoop: loop, body)
    }

    /// Connections and pages, for the figures.
    var counts: (connections: Int, pages: Int) { (state.value.connections, state.value.pages.count) }
}
