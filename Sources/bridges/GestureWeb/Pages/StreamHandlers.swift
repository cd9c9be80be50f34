// SPDX-License-Identifier: MIT
#if Web
import NIOCore
import NIOWebSocket

/// The daemon's side of a stream.
final class DaemonHandler: ChannelInboundHandler {
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
    func channelInactive(context: ChannelHandlerContext) { stream.isGone(context.channel) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The page's side of a stream. It is the last handler of the page's channel.
final class PageHandler: ChannelInboundHandler {
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

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOWebSocketError { return stream.receive(error) }
        context.close(promise: nil)
    }
}
#endif
