// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Accepts clients on one socket, and connects each of them to the daemon on another one.
final class Proxy {
    private let path: String
    private let configurationFile: String?
    private let listener: CInt
    private let signals: CInt
    private let daemon: DaemonChild
    private var links: [Link] = []

    /// Starts the daemon with these arguments, but with another socket.
    init(_ arguments: [String]) throws {
        guard let index = arguments.firstIndex(of: "--socket"), index + 1 < arguments.count else {
            throw ProxyError(text: "needs --socket PATH")
        }
        path = arguments[index + 1]
        configurationFile = arguments.firstIndex(of: "-c").map { arguments[$0 + 1] }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        var own = arguments
        own[index + 1] = "/\(folder)/behind-\(getpid())"
        listener = try ListenSockets.bind(path: path).release()
        let awaited = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]
        signals = linux_signals_open(awaited, CInt(awaited.count))
        daemon = try DaemonChild(own, socket: own[index + 1])
    }

    /// Serves clients until the daemon has ended, then ends with the same status or signal.
    func run() -> Never {
        while daemon.ending == nil { turn(isAccepting: true) }
        // Passes on the daemon's last data for at most a second. A client that does not read may not receive
        // it.
        let end = linux_clock_us(CLOCK_MONOTONIC) + 1_000_000
        while !links.isEmpty, linux_clock_us(CLOCK_MONOTONIC) < end { turn(isAccepting: false) }
        daemon.endLikewise { unlink(path) }
    }

    private func turn(isAccepting: Bool) {
        var polls = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        polls.append(pollfd(fd: isAccepting ? listener : -1, events: Int16(POLLIN), revents: 0))
        for link in links { polls += link.polls }
        guard poll(&polls, nfds_t(polls.count), 100) > 0 else { return }
        for (index, link) in links.enumerated() {
            let found = (polls[2 * index + 2].revents, polls[2 * index + 3].revents)
            guard found != (0, 0) else { continue }
            link.pass(hasClientHungUp: found.0 & Int16(POLLHUP | POLLERR) != 0)
        }
        links.removeAll { $0.isClosed }
        if polls[0].revents != 0 { takeSignals() }
        if polls[1].revents != 0 { accept() }
    }

    private func takeSignals() {
        while true {
            let signal = linux_signals_next(signals)
            guard signal > 0 else { return }
            if signal == SIGCHLD { daemon.reap() } else { daemon.signal(signal) }
        }
    }

    private func accept() {
        guard let client = try? UnixSocket.accept(listener) else { return }
        // The daemon may not listen yet, and no descriptor can report when it does.
        for _ in 0..<60_000 {
            if let connection = try? UnixSocket.connect(path: daemon.socket, nonBlocking: true) {
                let configuration = configurationFile.flatMap { Self.text(of: $0) } ?? ""
                links.append(
                    Link(client: client.release(), daemon: connection.release(), configuration: configuration))
                return
            }
            daemon.reap()
            guard daemon.ending == nil else { return }
            usleep(2000)
        }
    }

    private static func text(of path: String) -> String? {
        let file = linux_open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256 * 1024)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}

struct ProxyError: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
}
