// SPDX-License-Identifier: MIT
#if MQTT
import CLinux

/// The memory that libmosquitto may take while it reads.
///
/// The library allocates the length that a packet announces, up to 256 MiB, before it has read any of it, and what the
/// properties and the payload need once more; a broker of MQTT 3.1.1 cannot be told to send less. While it reads, the kernel
/// refuses what is beyond the allowance, and the library gives the connection up with `MOSQ_ERR_NOMEM`. The limit is that of
/// the process, so no other code may run under it: the library's callbacks lift it.
final class ReadingAllowance {
    /// Bytes that one call may take: the longest packet of use four times, for its payload and its properties.
    private static let once: Int64 = 8 << 20
    /// Bytes that all calls of a connection may take and keep, such as messages with QoS 2 that are never released.
    private static let together: Int64 = 16 << 20

    /// Bytes that the library allocated while it read and has not freed.
    private var held: Int64 = 0
    /// The process's memory when the limit was set; `nil`: there is none now.
    private var start: Int64?

    /// Sets the limit. Without /proc there is none.
    func begin() {
        let now = linux_writable_memory()
        guard now >= 0 else { return }
        start = now
        linux_limit_writable_memory(UInt64(clamping: now + min(Self.once, max(0, Self.together - held))))
    }

    func end() {
        guard let start else { return }
        linux_limit_writable_memory(.max)
        self.start = nil
        held = max(0, held + linux_writable_memory() - start)
    }

    /// Calls code that is not the library's.
    func lifted(_ body: () -> Void) {
        guard start != nil else { return body() }
        end()
        body()
        begin()
    }
}
#endif
