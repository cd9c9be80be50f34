// SPDX-License-Identifier: MIT
import CLinux

/// An eventfd that wakes up another thread from poll(2).
package final class Wakeup: Sendable {
    private let event: OwnedDescriptor

    /// - Throws: `SystemError` if no descriptor is available.
    package init() throws(SystemError) {
        let flags = CInt(EFD_CLOEXEC | EFD_NONBLOCK)
        event = OwnedDescriptor(adopting: try retryingOnInterrupt("eventfd") { eventfd(0, flags) })
    }

    /// The descriptor, which becomes readable when `signal` is called.
    package var descriptor: CInt { event.rawValue }

    /// Makes the descriptor readable. Any thread may call this, and it may be called several times before `reset`.
    package func signal() { eventfd_write(event.rawValue, 1) }

    /// Makes the descriptor unreadable until the next `signal`.
    package func reset() {
        var count: eventfd_t = 0
        eventfd_read(event.rawValue, &count)
    }
}
