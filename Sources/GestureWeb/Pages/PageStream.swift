// SPDX-License-Identifier: MIT
import GestureProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A page and its connection to the daemon: what one sends goes to the other.
///
/// Nothing is read from one while the other does not take it. So the daemon drops lines for a slow page, says so, and
/// sends a fresh state, as for each of its clients. Everything happens on the loop of the page's channel.
final class PageStream {
    enum Form: Hashable, Sendable {
        case webSocket
        /// Server-sent events.
        case events
    }

    /// Why the bridge ends it: the status of a WebSocket's close frame.
    enum End: UInt16, Sendable {
        case bridgeStops = 1001
        case badFrame = 1002
        case noText = 1003
        case tooLarge = 1009
        /// The daemon is gone: try again.
        case daemonGone = 1013
    }

    /// Bytes of a message: the daemon reads no longer line.
    static let largestMessage = ProtocolLimits.requestBytes - 1
    /// How often a page is asked whether it is there. One that takes nothing for three times as long is closed.
    static let heartbeat = TimeAmount.seconds(15)
    private static let patience = 3
    /// How long a page has to answer the close frame.
    private static let farewell = TimeAmount.seconds(1)

    private let page: any Channel
    private let form: Form
    private let policy: Policy
    private var daemon: (any Channel)?
    /// The daemon's line was handed on in part.
    private var isInLine = false
    /// Replies of the bridge that wait for the end of that line.
    private var waiting: [[UInt8]] = []
    private var message = ByteBuffer()
    private var isInMessage = false
    private var isEnding = false
    private var silence = 0
    private var timer: RepeatedTask?

    private init(_ page: any Channel, _ form: Form, _ policy: Policy) {
        self.page = page
        self.form = form
        self.policy = policy
    }

    /// Joins a page with a new connection to the daemon. If there is no daemon, the stream ends at once.
    /// - Parameter requests: lines for the daemon.
    static func open(_ page: any Channel, _ form: Form, _ policy: Policy, requests: [UInt8] = []) -> EventLoopFuture<
        Void
    > {
        let stream = NIOLoopBound(PageStream(page, form, policy), eventLoop: page.eventLoop)
        return ClientBootstrap(group: page.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 16_384)
            )
            .channelInitializer { daemon in
                daemon.eventLoop.makeCompletedFuture {
                    try daemon.pipeline.syncOperations.addHandler(DaemonHandler(stream.value))
                }
            }
            .connect(unixDomainSocketPath: policy.settings.socket)
            .flatMapThrowing { daemon in
                try stream.value.join(daemon, requests)
            }
            .flatMapErrorThrowing { _ in
                try page.pipeline.syncOperations.addHandler(PageHandler(stream.value))
                stream.value.end(.daemonGone)
            }
    }

    private func join(_ daemon: any Channel, _ requests: [UInt8]) throws {
        self.daemon = daemon
        guard page.isActive else {
            daemon.close(promise: nil)
            return
        }
        try page.pipeline.syncOperations.addHandler(PageHandler(self))
        if !requests.isEmpty { daemon.writeAndFlush(ByteBuffer(bytes: requests), promise: nil) }
        let stream = NIOLoopBound(self, eventLoop: page.eventLoop)
        timer = page.eventLoop.scheduleRepeatedTask(initialDelay: Self.heartbeat, delay: Self.heartbeat) { _ in
            stream.value.beat()
        }
        daemon.read()
    }

    /// The page must hear from the bridge even where no finger moves: then each side notices that the other is gone.
    private func beat() {
        silence += 1
        if silence > Self.patience { return page.close(promise: nil) }
        // Who does not read gets no more of them: they would pile up.
        guard page.isWritable else { return }
        switch form {
        case .webSocket: page.writeAndFlush(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), promise: nil)
        case .events:
            silence = 0
            // Not within a line of the daemon.
            if !isInLine { writeBody(ByteBuffer(string: ":\n\n")) }
            page.flush()
        }
    }

    /// A slow page that reads is there, although it may have no place for a ping for long.
    func hasTakenSomething() { silence = 0 }

    // MARK: From the daemon

    /// Hands on what has come, as pieces of one line each.
    func receive(fromDaemon bytes: ByteBuffer) {
        guard !isEnding else { return }
        var bytes = bytes
        while bytes.readableBytes > 0 {
            let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n"))
            guard let piece = bytes.readSlice(length: (end ?? bytes.writerIndex) - bytes.readerIndex) else { return }
            if end != nil { bytes.moveReaderIndex(forwardBy: 1) }
            write(piece, isLast: end != nil)
        }
        page.flush()
    }

    private func write(_ piece: ByteBuffer, isLast: Bool) {
        switch form {
        case .webSocket:
            page.write(
                WebSocketFrame(fin: isLast, opcode: isInLine ? .continuation : .text, data: piece), promise: nil)
        case .events:
            var event = page.allocator.buffer(capacity: piece.readableBytes + 8)
            if !isInLine { event.writeStaticString("data: ") }
            event.writeImmutableBuffer(piece)
            if isLast { event.writeStaticString("\n\n") }
            writeBody(event)
        }
        isInLine = !isLast
        guard isLast, !waiting.isEmpty else { return }
        let replies = waiting
        waiting = []
        for reply in replies { write(ByteBuffer(bytes: reply), isLast: true) }
    }

    private func writeBody(_ bytes: ByteBuffer) {
        page.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
    }

    func readMore() {
        if page.isWritable { daemon?.read() }
    }

    // MARK: From the page

    func receive(fromPage frame: WebSocketFrame) {
        guard !isEnding else {
            // What it said before it read the close frame is of no use any more.
            if frame.opcode == .connectionClose { page.close(promise: nil) }
            return
        }
        silence = 0
        switch frame.opcode {
        case .text, .continuation:
            guard (frame.opcode == .continuation) == isInMessage else { return end(.badFrame) }
            var bytes = frame.unmaskedData
            guard message.readableBytes + bytes.readableBytes <= Self.largestMessage else { return end(.tooLarge) }
            message.writeBuffer(&bytes)
            isInMessage = !frame.fin
            if frame.fin { ask() }
        case .binary: end(.noText)
        case .ping:
            page.writeAndFlush(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData), promise: nil)
        case .connectionClose:
            let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
            isEnding = true
            page.writeAndFlush(answer).whenComplete { [page] _ in page.close(promise: nil) }
        default: break
        }
    }

    private func ask() {
        if let refusal = policy.refusal(of: Array(message.readableBytesView)) {
            if isInLine { waiting.append(refusal) } else { write(ByteBuffer(bytes: refusal), isLast: true) }
            page.flush()
        } else {
            message.writeStaticString("\n")
            daemon?.writeAndFlush(message, promise: nil)
        }
        message.clear()
    }

    /// Reads from the page only what both can take: the daemon its requests, the page the replies to them.
    func balance() {
        let isOpen = page.isWritable && daemon?.isWritable != false
        // Both are channels of sockets, which have the option, on this loop.
        page.setOption(.autoRead, value: isOpen).whenFailure { [page] _ in page.close(promise: nil) }
    }

    // MARK: The end

    func end(_ reason: End) {
        guard !isEnding else { return }
        isEnding = true
        daemon?.close(promise: nil)
        switch form {
        case .events:
            page.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { [page] _ in page.close(promise: nil) }
        case .webSocket:
            var data = page.allocator.buffer(capacity: 2)
            data.writeInteger(reason.rawValue)
            page.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: nil)
            // Closing at once would lose what the page has not read, if it has sent something meanwhile.
            page.eventLoop.scheduleTask(in: Self.farewell) { [page] in page.close(promise: nil) }
        }
    }

    func pageIsGone() {
        timer?.cancel()
        isEnding = true
        daemon?.close(promise: nil)
    }
}

/// The daemon's side of a stream.
private final class DaemonHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let stream: PageStream

    init(_ stream: PageStream) {
        self.stream = stream
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        stream.receive(fromDaemon: unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) { stream.readMore() }
    func channelWritabilityChanged(context: ChannelHandlerContext) { stream.balance() }
    func channelInactive(context: ChannelHandlerContext) { stream.end(.daemonGone) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The page's side of a stream: the last handler of its channel.
private final class PageHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let stream: PageStream

    init(_ stream: PageStream) {
        self.stream = stream
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        stream.receive(fromPage: unwrapInboundIn(data))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stream.hasTakenSomething()
        stream.readMore()
        stream.balance()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let end = event as? PageStream.End { stream.end(end) }
    }

    func channelInactive(context: ChannelHandlerContext) { stream.pageIsGone() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
