// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol
import LinuxSystem
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers one request of a connection, and then closes the connection, unless the answer is a stream of events.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request whose head was accepted.
    private struct Request {
        let head: HTTPRequestHead
        let target: Target
        let relation: Policy.Relation
    }

    /// The paths whose requests have a body. All but `/command` start a job.
    private static let posts = ["/check", "/replay", "/command"]
    /// The timeout for a browser to send its request, or to receive a piece of the answer.
    private static let patience = TimeAmount.seconds(10)

    private let bridge: Bridge
    private var request: Request?
    private var body: JobInput?
    /// The body of a request for `/command`.
    private var command: [UInt8] = []
    /// The maximum number of further bytes of the body.
    private var bodyLeft = 0
    private var isAnswered = false
    /// Whether the request is HEAD, which is answered as GET without the body.
    private var isHead = false
    private var timeout: Scheduled<Void>?

    init(_ bridge: Bridge) {
        self.bridge = bridge
    }

    func handlerAdded(context: ChannelHandlerContext) { limitTime(context) }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    /// Restarts the timeout for the browser's next step.
    private func limitTime(_ context: ChannelHandlerContext) {
        timeout?.cancel()
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Data after the first request is not read, because the connection is about to close.
        guard !isAnswered else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            bodyLeft -= bytes.readableBytes
            guard bodyLeft >= 0 else { return answer(.tooLarge, context) }
            do {
                try bytes.withUnsafeReadableBytes { bytes in
                    if let body { try body.append(bytes) } else { command += bytes }
                }
            } catch {
                answer(.failure(error), context)
            }
        case .end:
            if let request { respond(to: request, context) }
        }
    }

    /// Checks the head of a request. Most invalid requests are thus refused before their body arrives.
    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let policy = bridge.policy
        isHead = head.method == .HEAD
        guard policy.isOwn(head.headers) else { return answer(.wrongHost, context) }
        guard let target = Target(head.uri) else { return answer(.notFound, context) }
        let relation = policy.relation(head.headers)
        request = Request(head: head, target: target, relation: relation)
        let takesBody = Self.posts.contains(target.path)
        guard (takesBody ? [.POST] : [.GET, .HEAD]).contains(head.method) else {
            return answer(.methodNotAllowed(takesBody ? "POST" : "GET, HEAD"), context)
        }
        guard takesBody else { return }
        guard relation != .stranger else { return answer(.stranger, context) }
        let isCommand = target.path == "/command"
        guard isCommand || bridge.takeJob(context.channel) else {
            return answer(Self.tooManyJobs, context)
        }
        bodyLeft = isCommand ? PageStream.largestMessage : policy.settings.limits.bodyMegabytes << 20
        let length = head.headers["Content-Length"].first.flatMap { Int($0) } ?? 0
        guard length <= bodyLeft else { return answer(.tooLarge, context) }
        do throws(SystemError) {
            if !isCommand { body = try JobInput() }
        } catch {
            return answer(.failure(error), context)
        }
        if head.headers["Expect"].first?.lowercased() == "100-continue" {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
    }

    private func respond(to request: Request, _ context: ChannelHandlerContext) {
        let (path, isStranger) = (request.target.path, request.relation == .stranger)
        switch path {
        case "/socket":
            let reason: Answer =
                isStranger
                ? .stranger
                : bridge.isFull(for: context.channel)
                    ? Self.full : .text("this address is for WebSockets only", status: .upgradeRequired)
            answer(reason, context)
        case "/events":
            guard !isStranger else { return answer(.stranger, context) }
            stream(request, context)
        case "/check":
            let isJSON = request.head.headers["Content-Type"].first?.hasPrefix("application/json") == true
            run(.check, request, [isJSON ? "json" : "toml", request.head.uri], context)
        case "/command": send(bridge.command(command, context.channel), request.relation, context)
        case "/replay": run(.replay, request, [], context)
        case "/config":
            guard !isStranger else { return answer(.stranger, context) }
            guard bridge.takeJob(context.channel) else { return answer(Self.tooManyJobs, context) }
            run(.files, request, nil, context)
        default:
            // Files are sent to any page, because browsers let any page load scripts and images anyway.
            guard let answer = bridge.answer(path, request.head, context.channel) else {
                return self.answer(Pages.answer(path, bridge.policy.settings), context, request.relation)
            }
            guard !isStranger else { return self.answer(.stranger, context) }
            send(answer, request.relation, context)
        }
    }

    /// Sends an answer once it is available. Nothing is read from the connection until then.
    private func send(_ answer: EventLoopFuture<Answer>, _ relation: Policy.Relation, _ context: ChannelHandlerContext)
    {
        isAnswered = true
        // The work that produces the answer has its own timeouts.
        timeout?.cancel()
        answer.assumeIsolated().whenComplete { result in
            guard context.channel.isActive else { return }
            switch result {
            case .success(let answer): self.answer(answer, context, relation)
            case .failure(let error): self.answer(.failure(error), context, relation)
            }
        }
    }

    /// Answers a request with the output of a job. The job has its own timeouts.
    /// - Parameter arguments: the arguments of the job; `nil` if they are to be taken from the daemon's status.
    private func run(
        _ job: WebJob, _ request: Request, _ arguments: [String]?, _ context: ChannelHandlerContext
    ) {
        do throws(SystemError) {
            let input: JobInput
            if let body { input = body } else { input = try JobInput() }
            body = nil
            let answer = try JobAnswer(
                job, bridge, context.channel, Self.headers(for: request.relation), isHead: isHead)
            isAnswered = true
            timeout?.cancel()
            answer.send(
                input,
                arguments.map { context.eventLoop.makeSucceededFuture($0) } ?? bridge.runningFiles(context.channel))
        } catch {
            answer(.failure(error), context, request.relation)
        }
    }

    private static var tooManyJobs: Answer {
        .failure(RequestError(.busy, "too many replays and checks are running"))
    }

    private static var full: Answer {
        .text("too many pages are connected (limits.pages in web.toml)", status: .serviceUnavailable)
    }

    private func stream(_ request: Request, _ context: ChannelHandlerContext) {
        guard let line = EventsRequest.line(request.target.query) else {
            return answer(
                .text(
                    "an event stream accepts only events, regions, devices, gestures, names and phases as parameters",
                    status: .badRequest), context)
        }
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        if isHead {
            begin(.ok, HTTPHeaders(headers), request.relation, context)
            return finish(context)
        }
        // The stream begins even if there are too many pages, because an answer such as 503 would end the page's
        // EventSource permanently.
        let hasPlace = bridge.takePage(context.channel)
        timeout?.cancel()
        begin(.ok, HTTPHeaders(headers), request.relation, context)
        let retry = ByteBuffer(string: "retry: \(hasPlace ? 500 : 5000)\n\n")
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(retry))), promise: nil)
        guard hasPlace else { return finish(context) }
        PageStream.open(context.channel, .events, bridge, requests: line).whenFailure {
            [channel = context.channel] _ in
            channel.close(promise: nil)
        }
    }

    /// Returns the headers that depend on the origin. A page of another origin can read an answer only if a header
    /// names that origin.
    private static func headers(for relation: Policy.Relation) -> HTTPHeaders {
        var headers = HTTPHeaders([("Vary", "Origin")])
        if case .allowed(let origin) = relation { headers.add(name: "Access-Control-Allow-Origin", value: origin) }
        return headers
    }

    /// Sends the head of an answer.
    private func begin(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ relation: Policy.Relation,
        _ context: ChannelHandlerContext
    ) {
        isAnswered = true
        var headers = headers
        headers.add(contentsOf: Self.headers(for: relation))
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func answer(_ answer: Answer, _ context: ChannelHandlerContext, _ relation: Policy.Relation = .sameOrigin) {
        var headers = HTTPHeaders([
            ("Content-Type", answer.type), ("Content-Length", String(answer.length)), ("Connection", "close"),
            ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff"),
        ])
        headers.add(contentsOf: answer.headers)
        begin(answer.status, headers, relation, context)
        guard !isHead else { return finish(context) }
        switch answer.body {
        case .bytes(let bytes):
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            finish(context)
        case .file(let file): send(file, NIOLoopBound(context, eventLoop: context.eventLoop))
        }
    }

    /// Sends a file. The next piece is read when the kernel has accepted the previous one.
    private func send(_ file: ServedFile, _ context: NIOLoopBound<ChannelHandlerContext>) {
        guard let piece = file.next() else { return finish(context.value) }
        limitTime(context.value)
        context.value.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).assumeIsolated().whenSuccess {
            self.send(file, context)
        }
    }

    private func finish(_ context: ChannelHandlerContext) {
        limitTime(context)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(isHead: isHead))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A request for a WebSocket that was not accepted is passed on as an ordinary request after this error.
        if error is NIOWebSocketUpgradeError { return }
        context.close(promise: nil)
    }
}
#endif
