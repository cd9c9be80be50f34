// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

extension OwnedDescriptor {
    /// Sends a line to somebody who is not waited for; what does not fit is lost.
    func sendOnce(_ line: [UInt8]) {
        _ = linux_send(rawValue, line, line.count)
    }

    /// Keeps the kernel from holding much of what waits. A failure leaves its own limit, which does as well.
    func limitSendBuffer(to bytes: CInt) {
        _ = linux_set_send_buffer(rawValue, bytes)
    }
}
