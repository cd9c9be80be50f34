// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A page with its connection to the daemon. A stream relays data in both directions.
///
/// Data is read from one side only while the other side accepts data. If a page is slow, the daemon therefore drops
/// lines, reports this, and sends a new state, as it does for any of its clients. A stream must be used only on the
/// loop of the page's channel.
final class PageStream {
    enum Form: Hashable, Sendable {
        case webSocket
        /// Server-sent events.
        case events
    }

    /// The reason why the bridge ends a stream. The value is the status in the close frame of a WebSocket.
    enum End: UInt16, Sendable {
        case bridgeStops = 1001
        case badFrame = 1002
        case noText = 1003
        case badText = 1007
        case tooLarge = 1009
        /// The connection to the daemon was lost. The page may try again.
        case daemonGone = 1013
    }

    /// The maximum length in bytes of a message that is parsed on the loop. Longer messages are parsed on a thread,
    /// because parsing 64 KiB may take 5 ms.
    private static let briefMessage = 8192
    /// The maximum length of a message in bytes, which is that of a line that the daemon accepts.
    static let largestMessage = ProtocolLimits.requestBytes - 1
    /// The interval at which a page is checked. A page that accepts no data for three intervals is closed.
    static let heartbeat = TimeAmount.seconds(15)
    private static let patience = 3
    /// The timeout for a page to answer the close frame.
    private static let farewell = TimeAmount.seconds(1)

    private let page: any Channel
    private let form: Form
    private let bridge: Bridge
    private let policy: Policy
    private var daemon: (any Channel)?
    /// The requests to repeat if another connection to the daemon has to be made. `nil` if there will be no other
    /// connection, because the daemon has sent something other than a refusal or because the requests are too long.
    private var unanswered: ByteBuffer? = ByteBuffer()
    /// The first bytes from the daemon, while it is not yet known whether they are a refusal.
    private var greeting = ByteBuffer()
    /// The number of remaining attempts while the daemon refuses the connection because there are too many.
    private var tries = Bridge.tries.most
    private let lines: LineWriter
    private var message = ByteBuffer()
    private var isInMessage = false
    /// Complete messages that are waiting while a thread parses an earlier one.
    private var messages = CircularBuffer<ByteBuffer>()
    private var isParsing = false
    private var isEnding = false
    private var silence = 0
    private var timer: RepeatedTask?

    private init(_ page: any Channel, _ form: Form, _ bridge: Bridge, _ requests: [UInt8]) {
        self.page = page
        self.form = form
        self.bridge = bridge
        policy = bridge.policy
        lines = LineWriter(page, form)
        unanswered = ByteBuffer(bytes: requests)
    }

    /// Connects a page to the daemon. If the daemon is not running, the stream ends immediately.
    /// - Parameter requests: lines to send to the daemon.
    static func open(
        _ page: any Channel, _ form: Form, _ bridge: Bridge, requests: [UInt8] = []
    ) -> EventLoopFuture<Void> {
        let stream = NIOLoopBound(PageStream(page, form, bridge, requests), eventLoop: page.eventLoop)
        return connect(stream).flatMapThrowing { daemon in
            try page.pipeline.syncOperations.addHandler(PageHandler(stream.value))
            stream.value.beginHeartbeat()
            stream.value.join(daemon)
        }.flatMapErrorThrowing { _ in
            try page.pipeline.syncOperations.addHandler(PageHandler(stream.value))
            stream.value.end(.daemonGone)
        }
    }

    private static func connect(_ stream: NIOLoopBound<PageStream>) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: stream.eventLoop)
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
            .connect(unixDomainSocketPath: stream.value.policy.settings.socket)
    }

    private func join(_ daemon: any Channel) {
        guard !isEnding, page.isActive else {
            daemon.close(promise: nil)
            return
        }
        self.daemon = daemon
        if let unanswered, unanswered.readableBytes > 0 { daemon.writeAndFlush(unanswered, promise: nil) }
        daemon.read()
        balance()
    }

    private func beginHeartbeat() {
        let stream = NIOLoopBound(self, eventLoop: page.eventLoop)
        timer = page.eventLoop.scheduleRepeatedTask(initialDelay: Self.heartbeat, delay: Self.heartbeat) { _ in
            stream.value.beat()
        }
    }

    /// Handles a refusal that the daemon has sent because there are too many connections. Another owner's page may be
    /// ended to make room. After that, several attempts to connect are made, because the daemon needs time to close
    /// that page's connection.
    /// - Returns: whether another attempt is made.
    private func tryAgain() -> Bool {
        guard unanswered != nil, bridge.shouldTryAgain(tries, for: page) else { return false }
        tries -= 1
        greeting.clear()
        let refused = daemon
        daemon = nil
        refused?.close(promise: nil)
        balance()
        let stream = NIOLoopBound(self, eventLoop: page.eventLoop)
        page.eventLoop.flatScheduleTask(in: Bridge.tries.pause) { Self.connect(stream) }.futureResult.whenComplete {
            switch $0 {
            case .success(let daemon): stream.value.join(daemon)
            case .failure: stream.value.end(.daemonGone)
            }
        }
        return true
    }

    /// Sends data to the page even while there are no events, so that each side can detect the loss of the other.
    private func beat() {
        silence += 1
        if silence > Self.patience { return page.close(promise: nil) }
        // Nothing is sent to a page that does not read, because the data would accumulate.
        guard page.isWritable else { return }
        switch form {
        case .webSocket: page.writeAndFlush(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), promise: nil)
        case .events:
            silence = 0
            lines.comment()
        }
    }

    /// Resets the timeout after the page has accepted data. A slow page is still connected while it reads, even if a
    /// ping has to wait for a long time.
    func hasTakenSomething() { silence = 0 }

    // MARK: From the daemon

    func receive(fromDaemon bytes: ByteBuffer) {
        guard !isEnding else { return }
        guard unanswered != nil else { return lines.handOn(bytes) }
        greeting.writeImmutableBuffer(bytes)
        let refusal = DaemonQuery.refusal
        let isRefusal = zip(refusal, greeting.readableBytesView).allSatisfy { $0 == $1 }
        if isRefusal, greeting.readableBytes < refusal.count || tryAgain() { return }
        unanswered = nil
        if !isRefusal { bridge.greet(page) }
        let all = greeting
        greeting = ByteBuffer()
        lines.handOn(all)
    }

    /// Handles the end of a connection to the daemon.
    func isGone(_ channel: any Channel) {
        guard channel === daemon else { return }
        // The bytes that the daemon has sent so far may be the beginning of a refusal. They are passed on to the page.
        if !isEnding, greeting.readableBytes > 0 {
            unanswered = nil
            lines.handOn(greeting)
        }
        end(.daemonGone)
    }

    func readMore() {
        if page.isWritable { daemon?.read() }
    }

    // MARK: From the page

    func receive(fromPage frame: WebSocketFrame) {
        guard !isEnding else {
            // Messages that the page sent before it received the close frame are ignored.
            if frame.opcode == .connectionClose { page.close(promise: nil) }
            return
        }
        silence = 0
        if let violation = frame.violation { return end(violation) }
        switch frame.opcode {
        case .text, .continuation:
            guard (frame.opcode == .continuation) == isInMessage else { return end(.badFrame) }
            var bytes = frame.unmaskedData
            guard message.readableBytes + bytes.readableBytes <= Self.largestMessage else { return end(.tooLarge) }
            message.writeBuffer(&bytes)
            isInMessage = !frame.fin
            if frame.fin { ask() }
        case .ping:
            page.writeAndFlush(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData), promise: nil)
        case .connectionClose:
            let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
            isEnding = true
            page.writeAndFlush(answer).whenComplete { [page] _ in page.close(promise: nil) }
        default: break
        }
    }

    /// Ends the stream after the page has sent bytes that are not a valid frame.
    func receive(_ error: NIOWebSocketError) { end(error == .invalidFrameLength ? .tooLarge : .badFrame) }

    private func ask() {
        guard message.isText else { return end(.badText) }
        messages.append(message)
        message = ByteBuffer()
        askNext()
    }

    private func askNext() {
        while !isParsing, let next = messages.popFirst() {
            let bytes = Array(next.readableBytesView)
            guard bytes.count > Self.briefMessage else {
                ask(next, unless: policy.refusal(of: bytes))
                continue
            }
            isParsing = true
            balance()
            bridge.read { [policy] in policy.refusal(of: bytes) }.assumeIsolated().whenSuccess { [self] refusal in
                isParsing = false
                guard !isEnding else { return }
                ask(next, unless: refusal)
                askNext()
                balance()
            }
        }
    }

    private func ask(_ message: ByteBuffer, unless refusal: [UInt8]?) {
        if let refusal {
            lines.reply(refusal)
        } else {
            var line = message
            line.writeStaticString("\n")
            unanswered?.writeImmutableBuffer(line)
            guard let daemon else { return }
            if let count = unanswered?.readableBytes, count > Self.largestMessage { unanswered = nil }
            daemon.writeAndFlush(line, promise: nil)
        }
    }

    /// Reads from the page only while the daemon accepts requests and the page accepts the replies to them.
    func balance() {
        let isOpen = page.isWritable && daemon?.isWritable == true && !isParsing
        // The page's channel is a socket on this loop, so it has this option.
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
            // Closing the connection immediately could lose data that the page has not read yet. This would happen if
            // the page has sent something in the meantime.
            page.eventLoop.scheduleTask(in: Self.farewell) { [page] in page.close(promise: nil) }
        }
    }

    func pageIsGone() {
        timer?.cancel()
        isEnding = true
        daemon?.close(promise: nil)
    }
}
#endif
