// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem
import StreamVerifier

/// All clients, in one loop.
final class VerifiedCrowd {
    private let path: String
    private let configuration: String
    private let firstUser: UInt32
    private var clients: [VerifiedClient] = []
    private var past = StreamTally()
    private var connections = 0
    private var requests = 0
    private var violations = 0
    /// The number of connections that the daemon has closed.
    private var ended = 0
    private(set) var isInputEnded = false
    private var bytes = [UInt8](repeating: 0, count: 64 * 1024)

    /// The number of clients per user. A user may have 16, including connections that are being closed.
    private static let ofOneUser = 10

    init(path: String, configuration: String, count: Int, firstUser: UInt32) {
        self.path = path
        self.configuration = configuration
        self.firstUser = firstUser
        for number in 0..<count { clients.append(connect(number)) }
    }

    static func text(of path: String) throws -> String {
        let file = try OwnedDescriptor(opening: path, flags: O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: 256 * 1024)
        let count = read(file.rawValue, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    private func connect(_ number: Int) -> VerifiedClient {
        connections += 1
        let user = firstUser + UInt32(number / Self.ofOneUser)
        // The kernel records the effective user of a connection.
        guard seteuid(user) == 0, let socket = try? UnixSocket.connect(path: path, nonBlocking: true), seteuid(0) == 0
        else {
            report("client \(number): cannot connect as uid \(user): \(String(cString: strerror(errno)))")
            exit(1)
        }
        let kind = VerifiedClient.Kind(number)
        return VerifiedClient(
            number, kind, socket: socket.release(), configuration: configuration)
    }

    /// Waits for lines, for at most 5 ms, then runs the clients whose turn has come.
    func turn() {
        var polls = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0)]
        let now = linux_clock_us(CLOCK_MONOTONIC)
        for client in clients {
            polls.append(pollfd(fd: client.isReading(at: now) ? client.socket : -1, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&polls, nfds_t(polls.count), 5) >= 0 else { return }
        if polls[0].revents != 0 { isInputEnded = true }
        for place in clients.indices {
            let client = clients[place]
            if polls[place + 1].revents != 0 { client.read(into: &bytes, at: now) }
            client.act(at: now)
            note(client)
            if client.isAtEnd {
                ended += 1
                report("client \(client.number) (\(client.kind)): the daemon has closed the connection")
            }
            if client.isAtEnd || client.isDone(at: now) { renew(place) }
        }
    }

    private func note(_ client: VerifiedClient) {
        for violation in client.newViolations {
            violations += 1
            report("client \(client.number) (\(client.kind)), subscribed with \(client.subscription): \(violation)")
        }
    }

    private func renew(_ place: Int) {
        let number = clients[place].number
        count(clients[place])
        clients[place].end()
        clients[place] = connect(number)
    }

    private func count(_ client: VerifiedClient) {
        past.add(client.tally)
        requests += client.requests
    }

    /// Reads everything that the daemon has sent so far, then closes all clients.
    func finish() {
        for client in clients {
            while client.read(into: &bytes, at: 0) > 0 {}
            note(client)
            count(client)
            client.end()
        }
    }

    var isGood: Bool { violations == 0 && ended == 0 }

    var tally: String {
        "{\"clients\":\(clients.count),\"connections\":\(connections),\"requests\":\(requests),\"lines\":\(past.lines),"
            + "\"updates\":\(past.updates),\"merged\":\(past.merged),\"overflows\":\(past.overflows),"
            + "\"dropped\":\(past.dropped),\"ended\":\(ended),\"violations\":\(violations)}"
    }
}

/// Writes a line to standard error.
func report(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(2, line, line.count)
}
