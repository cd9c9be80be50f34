// SPDX-License-Identifier: MIT
#if MQTT
import CLinux

/// Limits the memory that libmosquitto may allocate while it reads.
///
/// Before the library reads a packet, it allocates the length that the packet announces, up to 256 MiB. It allocates
/// the same amount again for the properties and the payload. With MQTT 3.1.1, a client cannot limit the size of what a
/// broker sends. While the library reads, the kernel refuses memory beyond the limit, and the library closes the
/// connection with `MOSQ_ERR_NOMEM`. The limit applies to the whole process, so no other code may run under it. The
/// callbacks of the library therefore lift it.
final class ReadingAllowance {
    /// The number of bytes that one call may allocate: four times the longest useful packet, with its payload and its
    /// properties.
    private static let once: Int64 = 8 << 20
    /// The number of bytes that all calls of a connection together may allocate and keep, for example for messages with
    /// QoS 2 that are never released.
    private static let together: Int64 = 16 << 20

    /// The number of bytes that the library allocated while reading and has not freed.
    private var held: Int64 = 0
    /// The memory of the process when the limit was set; `nil` if no limit is set.
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

    /// Calls code that is not part of the library, without the limit.
    func lifted(_ body: () -> Void) {
        guard start != nil else { return body() }
        end()
        body()
        begin()
    }
}
#endif
