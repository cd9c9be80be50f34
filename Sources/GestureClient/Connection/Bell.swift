// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// Wakes a thread that polls: a socket that speaks to itself.
final class Bell: Sendable {
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

    /// What is readable once it has rung.
    var descriptor: CInt { receiver.rawValue }

    /// One that is not taken yet suffices: a full buffer is no harm.
    func ring() {
        var byte: UInt8 = 0
        _ = linux_send(sender.rawValue, &byte, 1)
    }

    /// Forgets how often it rang.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while linux_receive(receiver.rawValue, &bytes, bytes.count) == bytes.count {}
    }
}
