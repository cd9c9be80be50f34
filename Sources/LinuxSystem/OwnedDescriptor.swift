// SPDX-License-Identifier: MIT
import CLinux

/// Owns an open file descriptor and closes it exactly once.
@frozen
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let rawValue: CInt

    /// Becomes the owner of `rawValue`, which is open and belongs to nobody else.
    package init(adopting rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// Opens `path` with `flags` (`O_RDONLY | O_NONBLOCK`, …) and close-on-exec; creates nothing.
    /// - Throws: `SystemError` naming `open`, the path and the errno.
    package init(opening path: String, flags: CInt) throws(SystemError) {
        rawValue = try retryingOnInterrupt("open", path: path) { linux_open(path, flags) }
    }

    deinit {
        // Not repeated at EINTR: Linux has closed it then already.
        _ = close(rawValue)
    }

    /// Gives the descriptor away: who gets it closes it.
    package consuming func release() -> CInt {
        let result = rawValue
        discard self
        return result
    }
}
