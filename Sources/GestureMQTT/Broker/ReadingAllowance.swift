// SPDX-License-Identifier: MIT
#if MQTT
import CLinux

/// Limits the memory that libmosquitto may allocate while it reads.
///
/// The library allocates the length that a packet announces, up to 256 MiB, before it has read the packet, and once
/// more for properties and payload; MQTT 3.1.1 cannot limit what a broker sends. While the library reads, the kernel
/// refuses memory beyond the limit, and the library closes the connection with `MOSQ_ERR_NOMEM`. The limit applies to
/// the whole process, so no other code may run under it: the library's callbacks lift it.
final class ReadingAllowance {
    /// The bytes that one call may take: four times the longest useful packet, for its payload and its properties.
    private static let once: Int64 = 8 << 20
    /// The bytes that all calls of a connection may take and keep, such as messages with QoS 2 that are never
    /// released.
    private static let together: Int64 = 16 << 20

    /// The bytes that the library allocated while it read, and has not freed.
    private var held: Int64 = 0
    /// The memory of the process when the limit was set; `nil`: no limit is set.
    private var start: Int64?

    /// Sets the limit, unless /proc is missing.
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

    /// Calls code that does not belong to the library, without the limit.
    func lifted(_ body: () -> Void) {
        guard start != nil else { return body() }
        end()
        body()
        begin()
    }
}
#endif
