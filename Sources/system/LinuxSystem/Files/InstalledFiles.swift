// SPDX-License-Identifier: MIT
import CLinux

/// The paths of files that the programs of an installation share.
package enum InstalledFiles {
    /// The socket of the system's daemon.
    package static let socket = "/run/gestured/gestured.sock"

    /// The folder of the files that a package installs.
    package static let usualFolder = "/usr/share/gestured"

    /// The folder of the installed files: `PREFIX/share/gestured` for a program in `PREFIX/bin`.
    package static var folder: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return usualFolder }
        let program = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = program.split(separator: "/").dropLast(2)
        return "/" + (parts + ["share", "gestured"]).joined(separator: "/")
    }
}
