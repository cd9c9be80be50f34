// SPDX-License-Identifier: MIT
import CLinux

/// Owns an open file descriptor and closes it exactly once.
@frozen
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let rawValue: CInt

    /// Takes ownership of an open descriptor.
    package init(adopting rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// Opens `path` with `flags` (`O_RDONLY | O_NONBLOCK`, …) and close-on-exec; creates nothing.
    /// - Throws: `SystemError` naming `open`, the path and the errno.
    package init(opening path: String, flags: CInt) throws(SystemError) {
        rawValue = try retryingOnInterrupt("open", path: path) { linux_open(path, flags) }
    }

    /// The same for a path of bytes that need not be UTF-8; the last is 0.
    package init(opening path: [CChar], flags: CInt) throws(SystemError) {
        let shown = path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        rawValue = try retryingOnInterrupt("open", path: shown) { linux_open(path, flags) }
    }

    deinit {
        // Not repeated at EINTR: Linux has closed it already.
        _ = close(rawValue)
    }

    /// Gives up ownership: the caller closes the descriptor.
    package consuming func release() -> CInt {
        let result = rawValue
        discard self
        return result
    }
}
