// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The service manager's side of the notify protocol: receives `READY=1` and similar assignments.
package final class ServiceManager {
    package let path: String
    private let descriptor: Int32
    /// All assignments received so far.
    package private(set) var received: [String] = []

    package init(path: String) throws {
        self.path = path
        descriptor = linux_unix_socket(CInt(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0, linux_unix_bind(descriptor, path, path.utf8.count) >= 0 else {
            throw TestFailure("cannot bind \(path)")
        }
    }

    deinit { close(descriptor) }

    /// Waits for a new assignment that begins with `prefix`.
    /// - Parameter program: the program that sends the assignment; waiting ends when it exits.
    @discardableResult
    package func wait(
        for prefix: String, from program: ChildProcess? = nil, within seconds: Double = LineReader.patience
    ) throws -> String {
        let end = MonotonicSeconds.now + seconds
        // After the program has exited, one more turn receives the data that it sent before.
        var isLastTurn = false
        while MonotonicSeconds.now < end, !isLastTurn {
            isLastTurn = program?.isRunning == false
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            let message = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(
                String.init)
            received += message
            if let found = message.first(where: { $0.hasPrefix(prefix) }) { return found }
        }
        throw TestFailure("no \(prefix) within \(seconds) s; received: \(received)")
    }
}
