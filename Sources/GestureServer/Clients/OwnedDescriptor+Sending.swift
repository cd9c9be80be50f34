// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

extension OwnedDescriptor {
    /// Sends a line to somebody who is not waited for; what does not fit is lost.
    func sendOnce(_ line: borrowing LineBuffer) {
        _ = line.withBytes { linux_send(rawValue, $0.baseAddress, $0.count) }
    }

    /// Keeps the kernel from holding much of what waits. A failure leaves its own limit, which does as well.
    func limitSendBuffer(to bytes: CInt) {
        _ = linux_set_send_buffer(rawValue, bytes)
    }
}
