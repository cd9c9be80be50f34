// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem
import NIOCore
import NIOHTTP1

/// The answers that are made of what the daemon says.
extension Bridge {
    /// What is under one of these paths; `nil`: it is a file's.
    func answer(_ path: String, _ head: HTTPRequestHead) -> EventLoopFuture<Answer>? {
        switch path {
        case "/metrics": metrics(Metrics.Form(accept: head.headers["Accept"].joined(separator: ",")))
        case "/healthz": health()
        case "/bridge": permissions()
        case "/config": configurationFiles()
        default: nil
        }
    }

    func ask(_ commands: [String]) -> EventLoopFuture<DaemonQuery.Answer> {
        DaemonQuery.ask(commands, at: policy.settings.socket, on: loop)
    }

    private func metrics(_ form: Metrics.Form) -> EventLoopFuture<Answer> {
        ask(Metrics.commands).map { Optional($0.replies) }.recover { _ in nil }.assumeIsolated().map { replies in
            var metrics = Metrics(form)
            metrics.daemon(replies)
            metrics.bridge(pages: self.counts.pages, connections: self.counts.connections)
            return Answer(type: form.type, body: .bytes(ByteBuffer(string: metrics.text)))
        }.nonisolated()
    }

    private func health() -> EventLoopFuture<Answer> {
        ask(["ping"]).assumeIsolated().map { _ in Answer.text("ok") }.recover { error in
            .text((error as? RequestError)?.message ?? "\(error)", status: .serviceUnavailable)
        }.nonisolated()
    }

    private func permissions() -> EventLoopFuture<Answer> {
        let settings = policy.settings
        return ask(["ping"]).map { Optional($0.rights) }.recover { _ in nil }.assumeIsolated().map { rights in
            .json { Permissions(settings: settings, rights: rights).write(into: &$0) }
        }.nonisolated()
    }

    private func configurationFiles() -> EventLoopFuture<Answer> {
        running().assumeIsolated().map { sent in
            .json { json in
                json.array("files") { json in
                    for (path, text) in sent.files {
                        json.object { json in
                            json.member("path", path)
                            json.member("text", String(decoding: text, as: UTF8.self))
                        }
                    }
                }
            }
        }.nonisolated()
    }

    /// The files of the configuration in force. Fails with a `RequestError` if the bridge may not read them, or may not
    /// see what is private in them.
    func running() -> EventLoopFuture<SentConfiguration> {
        ask(["status"]).flatMap { answer in
            let paths = answer.replies[0]?["config"]?["files"]?.array?.compactMap { $0.string } ?? []
            return self.work { try Self.read(paths, seesPrivate: answer.rights.contains("private")) }
        }
    }

    private static func read(_ paths: [String], seesPrivate: Bool) throws -> SentConfiguration {
        let sent: SentConfiguration
        do throws(ConfigurationFileError) {
            sent = try SentConfiguration(paths: paths)
        } catch {
            throw RequestError(.permissionDenied, "the bridge cannot read \(error)")
        }
        if !seesPrivate, sent.mayHidePrivate {
            throw RequestError(
                .permissionDenied,
                "there are private regions in the configuration: add the bridge's user to private_uids in [access]")
        }
        return sent
    }
}
