// SPDX-License-Identifier: MIT
import CLinux

/// The kernel's random id of the current boot, which all containers of a machine share.
package enum BootIdentity {
    private static let path = "/proc/sys/kernel/random/boot_id"
    private static let length = 36

    /// The id; `nil` if it cannot be found out. The unit passes it in a variable, because `ProcSubset=pid` hides the file.
    package static func current() -> String? {
        let bytes = try? StateFile(path).read(limit: 2 * length)
        let text = bytes.map { String(decoding: $0, as: UTF8.self) } ?? Environment.value("GESTURED_BOOT_ID") ?? ""
        let id = text.filter { $0 != "-" && !$0.isWhitespace }
        return id.isEmpty ? nil : id
    }
}
