// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import LinuxSystem

/// The tracking ids that a panel has reported, kept for the next process: after a crash it can tell the fingers that were
/// down before from those that landed while there was no daemon.
///
/// They are in a file of the service's `RuntimeDirectory=`, which is in memory and goes when the service stops: a line with
/// the device's path, then the id of each slot. The file stays open, so that a landing costs one system call. A slot may keep
/// an id that has lifted: the kernel does not use it again before 65 536 contacts, and a driver with ids of its own, which
/// may, has its finger ignored, as without the file.
final class SeenContacts {
    private static let largest = 8192

    private let file: OwnedDescriptor
    /// Where the ids begin in the file.
    private let offset: off_t
    /// By slot, as the process before has left them; `nil` if it has not, or for another device.
    private let before: [Int32]?
    private var ids: [Int32] = []
    private var lastTrackingID: Int32?

    /// - Parameters:
    ///   - systemPath: the device's, which changes when it is plugged in anew.
    ///   - name: of the file.
    ///   - folder: `nil`: nothing is kept.
    /// - Returns: `nil` if nothing can be kept: then fingers that are down at the next start are ignored.
    init?(
        of systemPath: String, named name: String, in folder: String? = Environment.runtimeFolder("gestured-contacts")
    ) {
        guard let folder else { return nil }
        let path = "\(folder)/\(name)"
        let line = Array("\(systemPath)\n".utf8)
        let bytes = (try? StateFile(path).read(limit: Self.largest)) ?? []
        let isKnown = bytes.starts(with: line)
        before = isKnown ? bytes.dropFirst(line.count).withUnsafeBytes { Self.ids($0) } : nil
        offset = off_t(line.count)
        do throws(SystemError) {
            file = try isKnown ? OwnedDescriptor(opening: path, flags: O_WRONLY | O_NOFOLLOW) : Self.create(path, line)
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

    private static func create(_ path: String, _ line: [UInt8]) throws(SystemError) -> OwnedDescriptor {
        let file = OwnedDescriptor(adopting: try retryingOnInterrupt("open", path: path) { linux_create(path, 0o600) })
        guard write(file.rawValue, line, line.count) == line.count else { throw .last("write", path: path) }
        return file
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
    func note(_ table: @autoclosure () -> SlotTable, lastTrackingID id: Int32) {
        guard id != lastTrackingID else { return }
        lastTrackingID = id
        ids.removeAll(keepingCapacity: true)
        for slot in table().slots { ids.append(slot.trackingID) }
        _ = pwrite(file.rawValue, ids, ids.count * MemoryLayout<Int32>.size, offset)
    }
}
