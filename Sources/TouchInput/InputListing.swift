// SPDX-License-Identifier: MIT
import CLinux

/// What the kernel lists of input devices, as one number.
///
/// Asking udev about every device costs milliseconds on a machine with some dozens; this costs one listing of a
/// folder. Each device that is plugged in gets a number that was never used before (`input17`): the same
/// names are the same devices.
struct InputListing: Hashable, Sendable {
    /// Where each input device and each of its nodes has an entry.
    static let folder = "/sys/class/input"

    private var sum: UInt64 = 0
    private var count = 0
    /// The `event` nodes among them.
    private(set) var nodes = 0

    /// The listing as it is now; an empty one where there is none.
    init(of folder: String = Self.folder) {
        withUnsafeMutablePointer(to: &self) { listing in
            _ = linux_list_directory(
                folder,
                { name, context in
                    guard let name, let context else { return }
                    context.assumingMemoryBound(to: InputListing.self).pointee.add(name)
                }, listing)
        }
    }

    /// In whatever order names come, their sum is the same (FNV-1a of each).
    private mutating func add(_ name: UnsafePointer<CChar>) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var rest = name
        if strncmp(name, "event", 5) == 0 { nodes &+= 1 }
        while rest.pointee != 0 {
            hash = (hash ^ UInt64(UInt8(bitPattern: rest.pointee))) &* 0x100_0000_01b3
            rest += 1
        }
        sum &+= hash
        count &+= 1
    }
}
