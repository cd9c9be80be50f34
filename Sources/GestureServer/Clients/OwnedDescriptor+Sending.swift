// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

extension OwnedDescriptor {
    /// Sends a line without waiting; what does not fit is lost.
    func sendOnce(_ line: [UInt8]) {
        _ = linux_send(rawValue, line, line.count)
    }

    /// Limits how much the kernel holds. A failure leaves the default limit, which works as well.
    func limitSendBuffer(to bytes: CInt) {
        _ = linux_set_send_buffer(rawValue, bytes)
    }
}
