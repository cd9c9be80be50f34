// SPDX-License-Identifier: MIT
import ContactTracking
import LinuxSystem

/// The tracking ids that a panel has reported, kept for the next process: after a crash it can tell the fingers that were
/// down before from those that landed while there was no daemon.
///
/// They are in a file of the service's `RuntimeDirectory=`, which is in memory and goes when the service stops. A slot may
/// keep an id that has lifted: the kernel does not use it again before 65 536 contacts, and a driver with ids of its own,
/// which may, has its finger ignored, as without the file.
struct SeenContacts {
    private static let largest = 4096

    private let file: StateFile
    private let device: String
    /// By slot, as the process before has left them; `nil` if it has not, or for another device.
    private let before: [Int32]?
    private var lastTrackingID: Int32?

    /// - Parameters:
    ///   - systemPath: the device's, which changes when it is plugged in anew.
    ///   - name: of the file.
    ///   - folder: `nil`: nothing is kept.
    init?(
        of systemPath: String, named name: String, in folder: String? = Environment.runtimeFolder("gestured-contacts")
    ) {
        guard let folder else { return nil }
        file = StateFile("\(folder)/\(name)")
        device = systemPath
        let bytes = (try? file.read(limit: Self.largest)) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        before =
            lines.count == 2 && lines[0] == systemPath ? lines[1].split(separator: " ").compactMap { Int32($0) } : nil
    }

    /// What the process before knew of a panel that has these slots now; `nil` if no contact has landed since.
    func known(in table: SlotTable) -> SlotTable? {
        guard let before, before.count == table.slots.count else { return nil }
        var known = table
        for slot in known.slots.indices where known.slots[slot].trackingID >= 0 {
            known.slots[slot].trackingID = before[slot]
        }
        return known == table ? nil : known
    }

    /// Must be called after contacts may have landed. Writes only then.
    mutating func note(_ table: @autoclosure () -> SlotTable, lastTrackingID id: Int32) {
        guard id != lastTrackingID else { return }
        lastTrackingID = id
        let ids = table().slots.map { String($0.trackingID) }.joined(separator: " ")
        // Where that is not possible, fingers that are down at the next start are ignored.
        try? file.replace(with: Array("\(device)\n\(ids)\n".utf8))
    }
}
