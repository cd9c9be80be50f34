// SPDX-License-Identifier: MIT
import CLinux

/// The error of a failed system call, with its errno.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, as in section 2 of the manual.
    package let call: String
    /// The errno.
    package let code: CInt
    /// The path that was passed to the call; `nil` if there was none.
    package let path: String?

    package init(call: String, code: CInt, path: String? = nil) {
        self.call = call
        self.code = code
        self.path = path
    }

    /// Returns the error of the call that has just failed, which is read from `errno`.
    package static func last(_ call: String, path: String? = nil) -> Self {
        SystemError(call: call, code: linux_errno(), path: path)
    }

    /// The errno in words, such as `Permission denied`.
    package var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The call, the path and the reason, such as `open /dev/input/event4: Permission denied`.
    package var description: String {
        guard let path else { return "\(call): \(reason)" }
        return "\(call) \(path): \(reason)"
    }
}

/// Repeats a system call while it is interrupted by signals.
/// - Returns: the result of the call, which is not negative.
package func retryingOnInterrupt(
    _ call: String, path: String? = nil, _ body: () -> CInt
) throws(SystemError) -> CInt {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = linux_errno()
        if code != EINTR { throw SystemError(call: call, code: code, path: path) }
    }
}
