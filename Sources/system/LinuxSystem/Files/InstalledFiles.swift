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
        guard let parts = ownPath?.dropLast(2) else { return usualFolder }
        return "/" + (parts + ["share", "gestured"]).joined(separator: "/")
    }

    /// The path of another program in the folder of this one; its name if the folder has none.
    package static func program(_ name: String) -> String {
        guard let parts = ownPath?.dropLast() else { return name }
        let path = "/" + (parts + [name]).joined(separator: "/")
        return access(path, X_OK) == 0 ? path : name
    }

    /// The folders and the name of the running program.
    private static var ownPath: [String]? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        let program = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return program.split(separator: "/").map { String($0) }
    }
}
