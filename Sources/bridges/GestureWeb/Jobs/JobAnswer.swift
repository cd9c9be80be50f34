// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol
import LinuxSystem
import NIOCore
import NIOHTTP1

/// Answers a request with the output of a job, which is sent as it is produced.
///
/// The job's process waits until the page has received the previous data. If the page closes its connection, the
/// process is terminated.
struct JobAnswer: Sendable {
    private let job: WebJob
    private let bridge: Bridge
    private let channel: any Channel
    private let headers: HTTPHeaders
    private let isHead: Bool
    private let limits: ChildJob.Limits
    /// Signals that the job is no longer needed.
    private let stop: Wakeup

    /// - Parameters:
    ///   - headers: the headers of every answer to this page.
    ///   - isHead: whether the request is HEAD, so that only the head of the answer is sent.
    /// - Throws: `SystemError` if no descriptor is available.
    init(
        _ job: WebJob, _ bridge: Bridge, _ channel: any Channel, _ headers: HTTPHeaders, isHead: Bool
    ) throws(SystemError) {
        self.job = job
        self.bridge = bridge
        self.channel = channel
        self.headers = headers
        self.isHead = isHead
        limits = job.limits(bridge.policy.settings.limits)
        stop = try Wakeup()
        channel.closeFuture.whenComplete { [stop] _ in stop.signal() }
    }

    /// Starts the job. Call this on the loop.
    func send(_ input: JobInput, _ arguments: EventLoopFuture<[String]>) {
        arguments.flatMap { run(input, $0) }.flatMap { end in
            // Only the job's process reads the request. In the rare case that the request asks for the current
            // configuration, the job is started again with the configuration's files.
            guard job == .replay, end.outcome == .failed(status: WebJob.needsConfiguration) else {
                return channel.eventLoop.makeSucceededFuture(end)
            }
            return bridge.runningFiles(channel).flatMap { run(input, $0) }
        }.whenComplete { result in
            switch result {
            case .success(let end): finish(end)
            case .failure(let error): answer(error as? RequestError ?? RequestError(.internal, "\(error)"))
            }
        }
    }

    private struct End: Sendable {
        let outcome: ChildJob.Outcome
        /// The reason why the request failed, which is reported to the client; `nil` if it did not fail.
        let complaint: String?
        /// Whether the head of the answer has been sent.
        let hasBegun: Bool
    }

    private func run(_ input: JobInput, _ arguments: [String]) -> EventLoopFuture<End> {
        let process = bridge.makeJob(job.rawValue, limits, arguments)
        return bridge.work {
            channel.eventLoop.execute { limitTime(of: process.limits) }
            var output = JobOutput(isWhole: job == .replay)
            let outcome = process.run(input, stop: stop.descriptor) { piece in
                guard let part = output.take(piece) else { return true }
                return send(part)
            }
            return End(outcome: outcome, complaint: process.complaint(outcome), hasBegun: output.hasBegun)
        }
    }

    /// Starts the timeout for the page to receive the data. Without it, a page could occupy a thread and a connection
    /// forever.
    private func limitTime(of limits: ChildJob.Limits) {
        let timeout = channel.eventLoop.scheduleTask(in: .milliseconds(limits.milliseconds + 1000)) { [channel] in
            channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in timeout.cancel() }
    }

    /// Sends a part of the output, and waits until the kernel has accepted it.
    /// - Returns: whether the page is still connected.
    private func send(_ part: JobOutput.Part) -> Bool {
        if let status = part.status { begin(HTTPResponseStatus(statusCode: status)) }
        guard !part.body.isEmpty else { return true }
        return (try? write(part.body).wait()) != nil
    }

    private func begin(_ status: HTTPResponseStatus) {
        var headers = HTTPHeaders([
            ("Content-Type", job == .replay ? "application/x-ndjson" : "application/json"),
            ("Cache-Control", "no-store"), ("Connection", "close"), ("X-Content-Type-Options", "nosniff"),
        ])
        headers.add(contentsOf: self.headers)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
    }

    private func write(_ bytes: [UInt8]) -> EventLoopFuture<Void> {
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: isHead ? [] : bytes))))
    }

    private func finish(_ end: End) {
        guard let complaint = end.complaint else { return close() }
        let code: ErrorCode =
            switch end.outcome {
            case .outOfTime: .busy
            case .failed, .notStarted: .internal
            default: .badValue
            }
        let error = RequestError(code, "\(job.rawValue) \(complaint)")
        if !end.hasBegun {
            answer(error)
        } else if job == .replay {
            _ = write(ReplayJob.end(error))
            close()
        } else {
            // The last chunk is not sent, so that the page recognizes the answer as incomplete.
            channel.close(promise: nil)
        }
    }

    /// Sends the answer to a job that has produced no output.
    private func answer(_ error: RequestError) {
        begin(job == .replay ? .ok : Answer.status(of: error.code))
        _ = write(job == .replay ? ReplayJob.end(error) : Answer.failureLine(error))
        close()
    }

    private func close() {
        limitTime(of: limits)
        channel.writeAndFlush(HTTPServerResponsePart.end(isHead: isHead)).whenComplete { [channel] _ in
            channel.close(promise: nil)
        }
    }
}

/// Splits the output of a job into the status and the body.
private struct JobOutput {
    struct Part {
        /// Set only in the first part.
        var status: Int?
        var body: [UInt8]
    }

    /// Whether only complete lines are passed on, so that a line can still be added after the job's process was
    /// terminated.
    let isWhole: Bool
    private(set) var hasBegun = false
    private var rest: [UInt8] = []

    init(isWhole: Bool) {
        self.isWhole = isWhole
    }

    /// - Returns: the part that can be sent now.
    mutating func take(_ piece: [UInt8]) -> Part? {
        rest += piece
        var part = Part(body: [])
        if !hasBegun {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            part.status = Int(String(decoding: rest[..<end], as: UTF8.self)) ?? 500
            rest.removeFirst(end + 1)
            hasBegun = true
        }
        let end = isWhole ? rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 : rest.count
        part.body = Array(rest[..<end])
        rest.removeFirst(end)
        return part
    }
}
#endif
