// SPDX-License-Identifier: MIT
import CLinux

/// Standard output and standard error.
package enum StandardStream: CInt, Sendable {
    case output = 1
    case error = 2

    /// Writes the text. If a write fails, the remainder is not written.
    package func write(_ text: String) {
        var text = text
        text.withUTF8 { try? LinuxSystem.write(all: UnsafeRawBufferPointer($0), to: rawValue) }
    }
}
