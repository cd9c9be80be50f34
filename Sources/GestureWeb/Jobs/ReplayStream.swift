// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem
import NIOCore
import NIOHTTP1

/// Sends a page the lines of a replay as they are made.
///
/// The worker's thread waits until the page has taken what was sent before.
struct ReplayStream: Sendable {
    private let channel: any Channel
    private let seconds: Int

    /// - Parameters:
    ///   - channel: the head of the answer was sent.
    ///   - seconds: how long it may take.
    init(_ channel: any Channel, seconds: Int) {
        self.channel = channel
        self.seconds = seconds
    }

    func run(_ body: [UInt8], _ bridge: Bridge) {
        let job: ReplayJob
        do throws(RequestError) {
            job = try ReplayJob(body)
        } catch {
            return end(ReplayJob.end(error))
        }
        let running =
            job.configuration.map { channel.eventLoop.makeSucceededFuture($0) } ?? bridge.running()
        running.flatMap { configuration in bridge.work { run(job, configuration) } }.whenComplete { result in
            switch result {
            case .success: end([])
            case .failure(let error):
                end(ReplayJob.end(error as? RequestError ?? RequestError(.internal, "\(error)")))
            }
        }
    }

    /// From now on the page has this long to take what there is: it must keep neither the worker nor a connection.
    private func limitTime() {
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds) + 1)) { [channel] in
            channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in timeout.cancel() }
    }

    /// On the worker's thread.
    private func run(_ job: ReplayJob, _ configuration: SentConfiguration) {
        limitTime()
        let deadline = MonotonicClock.now() + Int64(seconds) * 1_000_000
        var isThere = true
        job.run(configuration, while: { isThere && MonotonicClock.now() < deadline }) { lines in
            guard isThere else { return }
            do {
                try send(lines).wait()
            } catch {
                isThere = false
            }
        }
    }

    private func send(_ lines: [UInt8]) -> EventLoopFuture<Void> {
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: lines))))
    }

    private func end(_ lines: [UInt8]) {
        limitTime()
        if !lines.isEmpty { _ = send(lines) }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { [channel] _ in channel.close(promise: nil)
        }
    }
}
