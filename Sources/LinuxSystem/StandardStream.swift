// SPDX-License-Identifier: MIT
import CLinux

/// Standard output and standard error.
package enum StandardStream: CInt, Sendable {
    case output = 1
    case error = 2

    /// Writes all of it, as far as it is taken.
    package func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while let start = UnsafeBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = CLinux.write(rawValue, start, rest.count)
                if count < 0, linux_errno() == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}
