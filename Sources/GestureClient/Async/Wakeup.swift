// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Ends another thread's poll(2): a pair of connected sockets.
final class Wakeup: Sendable {
    private let sender: OwnedDescriptor
    private let receiver: OwnedDescriptor

    /// - Throws: `SystemError` when there are too many descriptors.
    init() throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last("socketpair") }
        sender = OwnedDescriptor(adopting: ends[0])
        receiver = OwnedDescriptor(adopting: ends[1])
    }

    /// What the other thread polls for.
    var entry: pollfd { pollfd(fd: receiver.rawValue, events: Int16(POLLIN), revents: 0) }

    /// Any thread may call it, any number of times before `reset`.
    func signal() {
        var byte: UInt8 = 0
        // A full buffer is no harm: one byte suffices.
        _ = linux_send(sender.rawValue, &byte, 1)
    }

    func reset() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while linux_receive(receiver.rawValue, &bytes, bytes.count) == bytes.count {}
    }
}
