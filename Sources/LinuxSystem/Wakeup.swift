// SPDX-License-Identifier: MIT
import CLinux

/// An eventfd that ends another thread's poll(2).
package final class Wakeup: Sendable {
    private let event: OwnedDescriptor

    /// - Throws: `SystemError` if no descriptor is available.
    package init() throws(SystemError) {
        let flags = CInt(EFD_CLOEXEC | EFD_NONBLOCK)
        event = OwnedDescriptor(adopting: try retryingOnInterrupt("eventfd") { eventfd(0, flags) })
    }

    /// A descriptor that becomes readable with `signal`.
    package var descriptor: CInt { event.rawValue }

    /// Makes the descriptor readable. Any thread may call it, any number of times before `reset`.
    package func signal() { eventfd_write(event.rawValue, 1) }

    /// Makes the descriptor unreadable until the next `signal`.
    package func reset() {
        var count: eventfd_t = 0
        eventfd_read(event.rawValue, &count)
    }
}
