// SPDX-License-Identifier: MIT
import CLinux

/// The name of this machine.
enum HostName {
    /// As `hostname` prints it; `localhost` if it has none.
    static var current: String {
        // POSIX: at most 255 bytes.
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
