// SPDX-License-Identifier: MIT
import GestureProtocol
import NIOCore
import NIOPosix

/// Asks the daemon a few things on a connection of its own, and hangs up.
final class DaemonQuery {
    /// How long the daemon may take.
    private static let patience = TimeAmount.seconds(2)
    /// The longest reply: with 4000 regions it has 2 MB.
    private static let largestReply = 4 << 20

    /// What the daemon said.
    struct Answer: Sendable {
        /// Rights of the bridge, which are those of each page.
        var rights: [String] = []
        /// One for each request, in their order; `nil` where the daemon refused it.
        var replies: [JSONValue?]
    }

    private var answer: Answer
    private var missing: Int
    private let promise: EventLoopPromise<Answer>
    private var line = ByteBuffer()

    private init(_ count: Int, _ promise: EventLoopPromise<Answer>) {
        answer = Answer(replies: Array(repeating: nil, count: count))
        missing = count
        self.promise = promise
    }

    /// Fails with a `RequestError` if the daemon is not there, or does not answer.
    /// - Parameter commands: at least one, without arguments.
    static func ask(_ commands: [String], at socket: String, on loop: any NIOCore.EventLoop) -> EventLoopFuture<Answer>
    {
        let promise = loop.makePromise(of: Answer.self)
        let query = NIOLoopBound(DaemonQuery(commands.count, promise), eventLoop: loop)
        let connection = ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(QueryHandler(query.value))
                }
            }
            .connect(unixDomainSocketPath: socket)
        connection.whenFailure { _ in
            promise.fail(RequestError(.busy, "the daemon is not running: nobody listens at \(socket)"))
        }
        connection.whenSuccess { channel in
            var requests = ByteBuffer()
            // Events are for the pages.
            requests.writeString("{\"cmd\":\"subscribe\",\"id\":\"quiet\",\"events\":[]}\n")
            for (id, command) in commands.enumerated() {
                requests.writeString("{\"cmd\":\"\(command)\",\"id\":\(id)}\n")
            }
            channel.writeAndFlush(requests, promise: nil)
            let timeout = loop.scheduleTask(in: patience) {
                promise.fail(RequestError(.busy, "the daemon does not answer"))
            }
            promise.futureResult.whenComplete { _ in
                timeout.cancel()
                channel.close(promise: nil)
            }
        }
        return promise.futureResult
    }

    func receive(_ bytes: ByteBuffer) {
        var bytes = bytes
        while let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            guard var piece = bytes.readSlice(length: end - bytes.readerIndex) else { return }
            bytes.moveReaderIndex(forwardBy: 1)
            line.writeBuffer(&piece)
            read(Array(line.readableBytesView))
            line.clear()
        }
        line.writeBuffer(&bytes)
        if line.readableBytes > Self.largestReply { fail("the daemon's reply is too long") }
    }

    private func read(_ line: [UInt8]) {
        guard let object = try? JSONDocument.read(line).root else { return fail("the daemon does not speak JSON") }
        if object["event"]?.string == "hello" {
            answer.rights = object["rights"]?.array?.compactMap { $0.string } ?? []
        }
        if object["event"] == nil, object["ok"]?.bool == false, object["id"] == nil {
            return fail(object["error"]?["message"]?.string ?? "the daemon refuses the connection")
        }
        guard let id = object["id"]?.integer, answer.replies.indices.contains(Int(clamping: id)) else { return }
        if object["ok"]?.bool == true { answer.replies[Int(id)] = object }
        missing -= 1
        if missing == 0 { promise.succeed(answer) }
    }

    func fail(_ reason: String) { promise.fail(RequestError(.busy, reason)) }
}

private final class QueryHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let query: DaemonQuery

    init(_ query: DaemonQuery) {
        self.query = query
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { query.receive(unwrapInboundIn(data)) }
    func channelInactive(context: ChannelHandlerContext) { query.fail("the daemon has hung up") }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
