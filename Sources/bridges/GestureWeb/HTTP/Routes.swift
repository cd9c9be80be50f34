// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol
import LinuxSystem
import NIOCore
import NIOHTTP1

/// The answers that are derived from replies of the daemon.
extension Bridge {
    /// Returns the answer for a path whose answer is derived from the daemon's replies; `nil` if the path is that of a
    /// file.
    func answer(_ path: String, _ head: HTTPRequestHead, _ channel: any Channel) -> EventLoopFuture<Answer>? {
        switch path {
        case "/metrics": metrics(Metrics.Form(accept: head.headers["Accept"].joined(separator: ",")), channel)
        case "/healthz": health(channel)
        case "/bridge": permissions(channel)
        case "/users": users(channel)
        default: nil
        }
    }

    /// The maximum number of attempts after a page was ended to make room, and the pause between two attempts.
    static let tries = (most: 12, pause: TimeAmount.milliseconds(20))

    /// Decides whether to try again after the daemon has refused a connection because there are too many. At first,
    /// another owner's page is ended to make room. If another connection takes its place, this is repeated.
    /// - Parameter left: the number of remaining attempts; initially `tries.most`.
    /// - Returns: whether to send the request again.
    func shouldTryAgain(_ left: Int, for channel: any Channel) -> Bool {
        if left == Self.tries.most { return makeRoom(for: channel) }
        if left > 0, left % 4 == 0 { _ = makeRoom(for: channel) }
        return left > 0
    }

    /// Sends commands to the daemon on behalf of this connection.
    private func ask(_ commands: [String], _ channel: any Channel) -> EventLoopFuture<DaemonQuery.Answer> {
        ask(DaemonQuery.requests(commands), channel) { try DaemonQuery.read($0, count: commands.count) }
    }

    /// Sends requests to the daemon on behalf of this connection.
    /// - Parameter parse: parses the daemon's lines, on a thread.
    private func ask<Result: Sendable>(
        _ requests: [[UInt8]], _ channel: any Channel, parse: @escaping @Sendable ([[UInt8]]) throws -> Result
    ) -> EventLoopFuture<Result> {
        query { self.ask(requests, channel, parse: parse, tries: Self.tries.most) }
    }

    private func ask<Result: Sendable>(
        _ requests: [[UInt8]], _ channel: any Channel, parse: @escaping @Sendable ([[UInt8]]) throws -> Result,
        tries: Int
    ) -> EventLoopFuture<Result> {
        DaemonQuery.ask(requests, at: policy.settings.socket, on: loop).flatMap { lines in
            self.read { try parse(lines) }
        }.flatMapError { error in
            guard let refusal = error as? DaemonQuery.Refusal else { return self.loop.makeFailedFuture(error) }
            guard self.shouldTryAgain(tries, for: channel) else {
                return self.loop.makeFailedFuture(RequestError(.busy, refusal.message))
            }
            return self.loop.flatScheduleTask(in: Self.tries.pause) {
                self.ask(requests, channel, parse: parse, tries: tries - 1)
            }.futureResult
        }
    }

    /// Sends one request of a program to the daemon, if pages may send it, and answers with the daemon's reply.
    func command(_ request: [UInt8], _ channel: any Channel) -> EventLoopFuture<Answer> {
        let policy = policy
        return read { policy.refusal(of: request) }.flatMap { refusal in
            guard let refusal else { return self.ask([request], channel) { try DaemonQuery.reply(in: $0) } }
            return self.loop.makeSucceededFuture(refusal)
        }.flatMap { reply in
            self.read { (reply, try DaemonQuery.error(in: reply)) }
        }.assumeIsolated().map { reply, error in
            Answer.json(reply + [UInt8(ascii: "\n")], status: error.map { Answer.status(of: $0) } ?? .ok)
        }.nonisolated()
    }

    private func metrics(_ form: Metrics.Form, _ channel: any Channel) -> EventLoopFuture<Answer> {
        ask(Metrics.commands, channel).map { Optional($0.replies) }.recover { _ in nil }.flatMap { replies in
            let (counts, report) = (self.counts, self.policy.settings.report)
            return self.read {
                var metrics = Metrics(form)
                metrics.daemon(replies)
                metrics.report(DailySums.read(report))
                metrics.bridge(pages: counts.pages, connections: counts.connections)
                return metrics.text
            }
        }.assumeIsolated().map { text in
            Answer(type: form.type, body: .bytes(ByteBuffer(string: text)))
        }.nonisolated()
    }

    private func health(_ channel: any Channel) -> EventLoopFuture<Answer> {
        ask(["ping"], channel).assumeIsolated().map { _ in Answer.text("ok") }.recover { error in
            .text((error as? RequestError)?.message ?? "\(error)", status: .serviceUnavailable)
        }.nonisolated()
    }

    private func permissions(_ channel: any Channel) -> EventLoopFuture<Answer> {
        let settings = policy.settings
        return ask(["ping"], channel).map { Optional($0.rights) }.recover { _ in nil }.assumeIsolated().map { rights in
            .json { Permissions(settings: settings, rights: rights).write(into: &$0) }
        }.nonisolated()
    }

    /// Names the users that the daemon tells by number to a page that may ask for the clients.
    private func users(_ channel: any Channel) -> EventLoopFuture<Answer> {
        let commands = policy.settings.commands.filter { $0 == CommandName.clients.rawValue }
        return ask(commands, channel).flatMap { answer in
            self.read {
                let clients = answer.replies.first??["clients"]?.array ?? []
                let numbers = Set(clients.compactMap { $0["uid"]?.integer }.compactMap { UInt32(exactly: $0) })
                return numbers.sorted().compactMap { number in Users.name(of: number).map { (number, $0) } }
            }
        }.assumeIsolated().map { users in
            .json { json in
                json.objects("users", users) { user, json in
                    json.member("uid", Int(user.0))
                    json.member("name", user.1)
                }
            }
        }.nonisolated()
    }

    /// Returns the arguments of `WebJob.files`. Fails with a `RequestError` if the daemon does not provide them.
    func runningFiles(_ channel: any Channel) -> EventLoopFuture<[String]> {
        ask(["status"], channel).map { answer in
            let paths = answer.replies[0]?["config"]?["files"]?.array?.compactMap { $0.string } ?? []
            return [answer.rights.contains("private") ? "private" : "open"] + paths
        }
    }
}
#endif
