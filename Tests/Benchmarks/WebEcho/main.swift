// SPDX-License-Identifier: MIT
#if Web
// A WebSocket server that only sends back what it receives. Tests/Benchmarks/web compares the bridge with it.
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

final class Echo: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text else { return context.close(promise: nil) }
        let answer = WebSocketFrame(fin: true, opcode: .text, data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
}

let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
    upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Echo()) }
    })
let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
    .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline(withServerUpgrade: ([upgrader], { _ in }))
    }
    .bind(host: "127.0.0.1", port: 0).get()
print(server.localAddress?.port ?? 0)
fflush(nil)
try await server.closeFuture.get()
#endif
