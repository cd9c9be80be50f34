// SPDX-License-Identifier: MIT
import LinuxSystem

/// The names of the kernel's input devices and of their nodes.
///
/// The kernel gives each device that is plugged in a new number (`input17`), so equal listings list the same
/// devices. Reading them costs a hundredth of asking udev.
struct InputListing: Equatable {
    /// Each input device and each of its nodes has an entry here.
    static let folder = "/sys/class/input"

    private var names: Set<String> = []

    /// The listing as it is now; an empty one where there is none.
    init(of folder: String = Self.folder) {
        try? forEachName(in: folder) { names.insert(String(cString: $0)) }
    }

    /// How many event nodes there are.
    var nodeCount: Int { names.count { $0.hasPrefix("event") } }
}
