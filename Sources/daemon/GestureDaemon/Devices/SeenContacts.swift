// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import LinuxSystem

/// The tracking ids that a panel has reported, kept for the next process. After a crash, that process can distinguish
/// fingers that were already down from those that landed while no daemon was running.
///
/// The file contains a line with the device's path, followed by the id of each slot. It stays open so that a landing
/// costs one system call. A slot may keep the id of a lifted contact. The kernel does not reuse an id until 65 536 more
/// contacts have landed. A driver that assigns its own ids may reuse one sooner; the finger is then ignored, as it
/// would be if there were no file.
final class SeenContacts {
    private let file: OwnedDescriptor
    /// The offset of the ids in the file.
    private let offset: off_t
    /// The id of each slot that the previous process has stored; `nil` if there are none or if they belong to another
    /// device.
    private let before: [Int32]?
    private var ids: [Int32] = []
    private var lastTrackingID: Int32?

    /// Opens or creates the file.
    /// - Parameters:
    ///   - systemPath: the path of the device, which changes when it is plugged in again.
    ///   - name: the name of the file: that of the device's node.
    /// - Returns: `nil` if nothing can be stored. In that case, fingers that are down at the next start are ignored.
    init?(of systemPath: String, named name: String) {
        guard let kept = KeptFile(.contacts, of: name) else { return nil }
        let line = Array("\(systemPath)\n".utf8)
        let bytes = (try? kept.read()) ?? []
        let isKnown = bytes.starts(with: line)
        before = isKnown ? bytes.dropFirst(line.count).withUnsafeBytes { Self.ids($0) } : nil
        offset = off_t(line.count)
        do throws(SystemError) {
            file = try kept.open(beginning: isKnown ? nil : line)
        } catch {
            return nil
        }
    }

    private static func ids(_ bytes: UnsafeRawBufferPointer) -> [Int32] {
        let size = MemoryLayout<Int32>.size
        return stride(from: 0, through: bytes.count - size, by: size).map {
            bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self)
        }
    }

    /// Returns the panel's current slots with the tracking ids that the previous process has stored; `nil` if no
    /// contact has landed since then.
    func known(in table: SlotTable) -> SlotTable? {
        guard let before, before.count == table.slots.count else { return nil }
        var known = table
        for slot in known.slots.indices where known.slots[slot].trackingID >= 0 {
            known.slots[slot].trackingID = before[slot]
        }
        return known == table ? nil : known
    }

    /// Stores the tracking ids if a contact has landed. Call this whenever contacts may have landed.
    func note(_ table: @autoclosure () -> SlotTable, lastTrackingID id: Int32) {
        guard id != lastTrackingID else { return }
        lastTrackingID = id
        ids.removeAll(keepingCapacity: true)
        for slot in table().slots { ids.append(slot.trackingID) }
        _ = pwrite(file.rawValue, ids, ids.count * MemoryLayout<Int32>.size, offset)
    }
}
