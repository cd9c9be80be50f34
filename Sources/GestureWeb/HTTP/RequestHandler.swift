// SPDX-License-Identifier: MIT
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers one request of a connection, and closes it. A stream of events stays open.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a browser may take for its request.
    private static let patience = TimeAmount.seconds(10)

    private let bridge: Bridge
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var isAnswered = false
    private var timeout: Scheduled<Void>?

    init(_ bridge: Bridge) {
        self.bridge = bridge
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What follows the first request is not read: the connection is about to close.
        guard !isAnswered else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(var bytes):
            guard body.readableBytes + bytes.readableBytes <= 0 else {
                return answer(.text("the request is too large", status: .payloadTooLarge), context)
            }
            body.writeBuffer(&bytes)
        case .end:
            guard let head else { return }
            respond(to: head, context)
        }
    }

    private func respond(to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let policy = bridge.policy
        guard policy.isOwn(head.headers) else { return answer(.wrongHost, context) }
        guard let target = Target(head.uri) else { return answer(.notFound, context) }
        let relation = policy.relation(head.headers, isWebSocket: target.path == "/socket")
        guard head.method == .GET else {
            return answer(.text("only GET is answered here", status: .methodNotAllowed), context)
        }
        switch target.path {
        case "/socket":
            let reason: Answer =
                relation == .stranger
                ? .stranger : bridge.isFull ? Self.full : .text("this is a WebSocket", status: .upgradeRequired)
            answer(reason, context)
        case "/events":
            guard relation != .stranger else { return answer(.stranger, context) }
            stream(target, relation, context)
        default:
            answer(Pages.answer(target.path, policy.settings), context, relation)
        }
    }

    private static var full: Answer {
        .text("there are as many pages as limits.pages of web.toml allows", status: .serviceUnavailable)
    }

    private func stream(_ target: Target, _ relation: Policy.Relation, _ context: ChannelHandlerContext) {
        guard let request = EventsRequest.line(target.query) else {
            return answer(
                .text(
                    "an event stream can be asked for events, regions, devices, gestures, names and phases",
                    status: .badRequest), context)
        }
        // An answer such as 503 would end the page's EventSource for ever.
        let hasPlace = bridge.takePage(context.channel)
        isAnswered = true
        timeout?.cancel()
        var headers = HTTPHeaders([("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")])
        Self.allow(relation, &headers)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        let retry = ByteBuffer(string: "retry: \(hasPlace ? 500 : 5000)\n\n")
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(retry))), promise: nil)
        guard hasPlace else { return finish(context) }
        PageStream.open(context.channel, .events, bridge.policy, requests: request).whenFailure {
            [channel = context.channel] _ in
            channel.close(promise: nil)
        }
    }

    /// Other origins read an answer only with their name in it.
    private static func allow(_ relation: Policy.Relation, _ headers: inout HTTPHeaders) {
        headers.add(name: "Vary", value: "Origin")
        if case .allowed(let origin) = relation { headers.add(name: "Access-Control-Allow-Origin", value: origin) }
    }

    private func answer(_ answer: Answer, _ context: ChannelHandlerContext, _ relation: Policy.Relation = .sameOrigin) {
        isAnswered = true
        timeout?.cancel()
        var headers = HTTPHeaders([
            ("Content-Type", answer.type), ("Content-Length", String(answer.length)), ("Connection", "close"),
            ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff"),
        ])
        headers.add(contentsOf: answer.headers)
        Self.allow(relation, &headers)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers))),
            promise: nil)
        switch answer.body {
        case .bytes(let bytes):
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            finish(context)
        case .file(let file): send(file, NIOLoopBound(context, eventLoop: context.eventLoop))
        }
    }

    /// The next piece is read when the kernel has taken the one before.
    private func send(_ file: ServedFile, _ context: NIOLoopBound<ChannelHandlerContext>) {
        guard let piece = file.next() else { return finish(context.value) }
        context.value.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).assumeIsolated().whenSuccess {
            self.send(file, context)
        }
    }

    private func finish(_ context: ChannelHandlerContext) {
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A WebSocket that was not accepted is a request, which follows.
        if error is NIOWebSocketUpgradeError { return }
        context.close(promise: nil)
    }
}
