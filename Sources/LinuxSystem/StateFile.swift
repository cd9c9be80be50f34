// SPDX-License-Identifier: MIT
import CLinux

/// A file that is replaced as a whole: whoever reads it, also after a loss of power, finds all of the old or all of the
/// new one.
package struct StateFile: Hashable, Sendable {
    package let path: String
    private let isPublic: Bool

    /// - Parameters:
    ///   - path: its folder must exist; only the owner of that should be able to write to it.
    ///   - isPublic: everybody may read it; otherwise only its owner.
    package init(_ path: String, isPublic: Bool = false) {
        self.path = path
        self.isPublic = isPublic
    }

    /// - Returns: `nil` if there is none.
    /// - Throws: also if it is larger than `limit` bytes (`EFBIG`).
    package func read(limit: Int) throws(SystemError) -> [UInt8]? {
        let descriptor: OwnedDescriptor
        do throws(SystemError) {
            descriptor = try OwnedDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        let bytes = try contents(of: descriptor.rawValue, limit: limit)
        guard bytes.count <= limit else { throw SystemError(call: "read", code: EFBIG, path: path) }
        return bytes
    }

    /// Returns when the new contents are on the disk.
    package func replace(with bytes: [UInt8]) throws(SystemError) {
        let new = path + ".new"
        do throws(SystemError) {
            try write(bytes, to: new)
            try StateFile(new).move(to: self)
        } catch {
            unlink(new)
            throw error
        }
    }

    /// Replaces another file, which is of the same folder.
    package func move(to other: StateFile) throws(SystemError) {
        guard rename(path, other.path) == 0 else { throw .last("rename", path: other.path) }
        try syncFolder()
    }

    /// Returns when it is gone from the disk. It need not be there.
    package func remove() throws(SystemError) {
        guard unlink(path) == 0 || linux_errno() == ENOENT else { throw .last("unlink", path: path) }
        try syncFolder()
    }

    /// A name is on the disk when its folder is.
    private func syncFolder() throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = try OwnedDescriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
        _ = try retryingOnInterrupt("fsync", path: folder) { fsync(descriptor.rawValue) }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = OwnedDescriptor(
            adopting: try retryingOnInterrupt("open", path: path) { linux_create(path, 0o600) })
        // Whatever the umask is.
        if isPublic { _ = try retryingOnInterrupt("fchmod", path: path) { fchmod(descriptor.rawValue, 0o644) } }
        try LinuxSystem.write(all: bytes, to: descriptor.rawValue, path: path)
        _ = try retryingOnInterrupt("fsync", path: path) { fsync(descriptor.rawValue) }
    }
}
