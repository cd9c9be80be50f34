// SPDX-License-Identifier: MIT
import CLinux

/// Where an installation puts the files that its programs share.
package enum SharedFiles {
    /// Where the system's daemon listens.
    package static let socket = "/run/gestured/gestured.sock"

    /// `PREFIX/share/gestured` of the program in `PREFIX/bin`.
    package static var folder: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return "/usr/share/gestured" }
        let program = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = program.split(separator: "/").dropLast(2)
        return "/" + (parts + ["share", "gestured"]).joined(separator: "/")
    }
}
