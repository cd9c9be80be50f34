// SPDX-License-Identifier: MIT
#if Web
import GestureProtocol
import NIOCore
import NIOPosix

/// Sends a few requests to the daemon on a separate connection, and closes the connection.
final class DaemonQuery: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The timeout for all replies together.
    private static let patience = TimeAmount.seconds(2)
    /// The maximum size of all replies together, in bytes. With 4000 regions, their size is 2 MB.
    private static let largestReplies = 4 << 20
    /// The maximum number of values in a reply. Each value takes about 80 bytes of memory when a reply is parsed.
    private static let mostValues = 200_000

    struct Answer: Sendable {
        /// The rights of the bridge. Each page has the same rights.
        var rights: [String] = []
        /// One reply for each request, in the order of the requests; `nil` if the daemon refused the request.
        var replies: [JSONValue?]
    }

    /// The error that is thrown if the daemon accepts no more connections from the bridge's user.
    struct Refusal: Error {
        let message: String
    }

    private static let reply = Array("{\"reply\":".utf8)
    /// The beginning of the first line that the daemon sends if it refuses the connection because there are too many.
    /// It cannot be mistaken for another reply, because replies on accepted connections contain an id.
    static let refusal = Array("{\"reply\":null,\"ok\":false,".utf8)

    private let promise: EventLoopPromise<[[UInt8]]>
    private var lines: [[UInt8]] = []
    private var size = 0
    private var missing: Int
    private var line = ByteBuffer()

    /// - Parameter count: the number of replies to wait for.
    private init(_ count: Int, _ promise: EventLoopPromise<[[UInt8]]>) {
        missing = count
        self.promise = promise
    }

    /// Returns the requests for commands without arguments. Their ids are their indices.
    static func requests(_ commands: [String]) -> [[UInt8]] {
        commands.enumerated().map { id, command in Array("{\"cmd\":\"\(command)\",\"id\":\(id)}".utf8) }
    }

    /// Returns the daemon's lines up to the last reply. Fails with a `RequestError` if the daemon is not
    /// running or does not answer.
    /// - Parameter requests: at least one request, without line ends.
    static func ask(
        _ requests: [[UInt8]], at socket: String, on loop: any NIOCore.EventLoop
    ) -> EventLoopFuture<[[UInt8]]> {
        let promise = loop.makePromise(of: [[UInt8]].self)
        let query = NIOLoopBound(DaemonQuery(requests.count + 1, promise), eventLoop: loop)
        let connection = ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(query.value)
                }
            }
            .connect(unixDomainSocketPath: socket)
        connection.whenFailure { _ in
            promise.fail(RequestError(.busy, "the daemon is not running: no program listens at \(socket)"))
        }
        connection.whenSuccess { channel in
            // The first request disables events, which are useful only for pages.
            var bytes = ByteBuffer(string: "{\"cmd\":\"subscribe\",\"id\":\"quiet\",\"events\":[]}\n")
            for request in requests {
                bytes.writeBytes(request)
                bytes.writeString("\n")
            }
            channel.writeAndFlush(bytes, promise: nil)
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

    /// Parses the result of `ask`. Do not call this on the loop, because the lines may be long.
    /// - Throws: `Refusal` or `RequestError`.
    static func read(_ lines: [[UInt8]], count: Int) throws -> Answer {
        var answer = Answer(replies: Array(repeating: nil, count: count))
        for line in lines {
            guard let object = try? JSONDocument.read(line, values: mostValues).root else {
                throw RequestError(.busy, "the daemon has sent a line that is not JSON")
            }
            if object["event"]?.string == "hello" {
                answer.rights = object["rights"]?.array?.compactMap { $0.string } ?? []
            }
            if object["event"] == nil, object["ok"]?.bool == false, object["id"] == nil {
                throw Refusal(message: object["error"]?["message"]?.string ?? "the daemon refused the connection")
            }
            guard let id = object["id"]?.integer, answer.replies.indices.contains(Int(clamping: id)) else { continue }
            if object["ok"]?.bool == true { answer.replies[Int(id)] = object }
        }
        return answer
    }

    /// Returns the reply to the only request. Do not call this on the loop.
    /// - Throws: `Refusal` or `RequestError`.
    static func reply(in lines: [[UInt8]]) throws -> [UInt8] {
        _ = try read(Array(lines.prefix(1)), count: 0)
        return lines.last ?? []
    }

    /// Returns the error in a reply; `nil` if there is none. Do not call this on the loop.
    static func error(in reply: [UInt8]) throws -> ErrorCode? {
        guard let root = try? JSONDocument.read(reply, values: mostValues).root else {
            throw RequestError(.busy, "the daemon has sent a line that is not JSON")
        }
        if root["ok"]?.bool == true { return nil }
        return root["error"]?["code"]?.string.flatMap { ErrorCode(rawValue: $0) } ?? .internal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        size += bytes.readableBytes
        guard size <= Self.largestReplies else { return fail("the daemon's reply is too long") }
        while missing > 0, let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            guard var piece = bytes.readSlice(length: end - bytes.readerIndex) else { return }
            bytes.moveReaderIndex(forwardBy: 1)
            line.writeBuffer(&piece)
            take(Array(line.readableBytesView))
            line.clear()
        }
        line.writeBuffer(&bytes)
    }

    private func take(_ line: [UInt8]) {
        lines.append(line)
        guard line.starts(with: Self.reply) else { return }
        missing -= 1
        // Only the first line of a connection can refuse it.
        if missing == 0 || lines.count == 1 && line.starts(with: Self.refusal) { promise.succeed(lines) }
    }

    private func fail(_ reason: String) { promise.fail(RequestError(.busy, reason)) }

    func channelInactive(context: ChannelHandlerContext) { fail("the daemon has closed the connection") }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
#endif
