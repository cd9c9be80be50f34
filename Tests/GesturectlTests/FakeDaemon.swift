// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import GestureTestSupport
import LinuxSystem

/// A server that sends prepared lines on its own thread. It serves one connection after another.
///
/// `@unchecked`: a lock protects the mutable state.
final class FakeDaemon: @unchecked Sendable {
    /// The answer to one request.
    struct Answer {
        /// The lines of the answer; a line feed is added to each.
        var lines: [String]
        /// Whether the connection is closed afterwards.
        var hangsUp = false

        init(_ lines: String..., hangsUp: Bool = false) {
            self.lines = lines
            self.hangsUp = hangsUp
        }
    }

    static let hello =
        #"{"event":"hello","protocol":1,"server":"gestured 0.1.0","instance":"b1","capabilities":["routes"],"config_generation":3}"#
    static let state = #"{"event":"state","seq":0,"devices":[{"device":"panel","state":"ready"}],"active":[]}"#

    let path: String
    private let folder: ScratchFolder
    private let lock = NSLock()
    private var received: [String] = []

    /// The received requests, in order.
    var requests: [String] { lock.withLock { received } }

    /// - Parameters:
    ///   - connections: the number of connections to serve; the server then closes its socket.
    ///   - greeting: lines that each new connection receives at once.
    ///   - answer: returns the answer to a request; called on the server's thread.
    init(
        connections: Int = 1, greeting: [String] = [hello, state], answer: @escaping @Sendable (String) -> Answer
    ) throws {
        folder = try ScratchFolder()
        path = folder("socket")
        let listener = try ListenSockets.bind(path: path).release()
        Thread.detachNewThread { [self] in
            defer { close(listener) }
            for _ in 0..<connections {
                var wanted = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                guard poll(&wanted, 1, 120_000) == 1, let taken = try? UnixSocket.accept(listener) else { return }
                let connection = taken.release()
                defer { close(connection) }
                Self.serve(connection, greeting: greeting) { line in
                    note(line)
                    return answer(line)
                }
            }
        }
    }

    private func note(_ line: String) { lock.withLock { received.append(line) } }

    private static func serve(_ connection: CInt, greeting: [String], answer: (String) -> Answer) {
        send(greeting, to: connection)
        var buffer = Data()
        while true {
            var wanted = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, 120_000) == 1 else { return }
            var block = [UInt8](repeating: 0, count: 4096)
            let count = linux_receive(connection, &block, block.count)
            guard count > 0 else { return }
            buffer.append(contentsOf: block.prefix(count))
            while let end = buffer.firstIndex(of: 0x0A) {
                let reply = answer(String(decoding: buffer[..<end], as: UTF8.self))
                buffer.removeSubrange(...end)
                send(reply.lines, to: connection)
                if reply.hangsUp { return }
            }
        }
    }

    private static func send(_ lines: [String], to connection: CInt) {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var rest = bytes[...]
        // Waits while the reader is slow, and stops when it has disconnected.
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { linux_send(connection, $0.baseAddress, $0.count) }
            if count < 0, linux_errno() == EAGAIN {
                var ready = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
                continue
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
