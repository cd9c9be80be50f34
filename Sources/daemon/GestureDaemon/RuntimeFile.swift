// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// A file that the daemon keeps for the next process of the same boot, in a folder of the service's `RuntimeDirectory=`.
///
/// The file has times of the monotonic clock or numbers of the kernel, which mean something else after a boot. The
/// folders are in memory, unless a container has a lasting volume in their place. So `forgetEarlierBoot` removes what an
/// earlier boot has left, before any of the files is used. What must outlive a boot belongs to `--state-dir`.
enum RuntimeFile: String, CaseIterable {
    /// The times of recent starts (`CrashGuard`).
    case starts
    /// This file exists while no panel may be shared (`CrashGuard`).
    case off
    /// A scene with a limited time (`KeptScene`).
    case scene
    /// The memories of panels (`KeptPanels`).
    case panels
    /// The contacts that a panel has reported (`SeenContacts`). The name is that of the panel's node, such as `event4`.
    case contacts = "event"

    /// The name of the file with the boot to which the files of a folder belong.
    static let stamp = "boot"

    /// The file; `nil` if the service has no folder, so that nothing is kept.
    var file: StateFile? { folder.map { StateFile("\($0)/\(rawValue)") } }

    /// The folder of the file; `nil` if nothing is kept.
    var folder: String? { Environment.runtimeFolder(self == .off ? "gestured-share" : "gestured-contacts") }

    private func isNamed(_ name: String) -> Bool {
        guard self == .contacts else { return name == rawValue }
        return name.hasPrefix(rawValue) && name.utf8.dropFirst(rawValue.utf8.count).allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// Removes the files of an earlier boot. Files without a stamp are those of an earlier version, which an upgrade has
    /// just restarted; they count as those of this boot, so that no lock ends early.
    /// - Returns: the names of the removed files.
    static func forgetEarlierBoot(_ boot: String? = BootIdentity.current()) -> [String] {
        guard let boot else { return [] }
        return Set(allCases.compactMap { $0.folder }).sorted().flatMap { forgetEarlierBoot(boot, in: $0) }
    }

    private static func forgetEarlierBoot(_ boot: String, in folder: String) -> [String] {
        let stamp = StateFile("\(folder)/\(stamp)")
        let known = (try? stamp.read(limit: 64)).flatMap { $0 }
        if known?.elementsEqual(boot.utf8) == true { return [] }
        let removed = known == nil ? [] : names(in: folder).filter { unlink("\(folder)/\($0)") == 0 }
        try? stamp.replace(with: Array(boot.utf8))
        return removed
    }

    private static func names(in folder: String) -> [String] {
        var names: [String] = []
        try? forEachName(in: folder) { name in
            let name = String(cString: name)
            if allCases.contains(where: { $0.isNamed(name) }) { names.append(name) }
        }
        return names.sorted()
    }
}
