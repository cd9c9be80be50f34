// SPDX-License-Identifier: MIT
import CLinux

/// A file that is only replaced as a whole. A reader finds either the complete old contents or the complete new
/// contents, even after a power failure.
package struct StateFile: Hashable, Sendable {
    package let path: String
    private let isPublic: Bool

    /// - Parameters:
    ///   - path: the path of the file. Its folder must exist and should be writable only for its owner.
    ///   - isPublic: whether all users may read the file. If not, only its owner may.
    package init(_ path: String, isPublic: Bool = false) {
        self.path = path
        self.isPublic = isPublic
    }

    /// - Returns: `nil` if the file does not exist.
    /// - Throws: `SystemError`, with `EFBIG` if the file is larger than `limit` bytes.
    package func read(limit: Int) throws(SystemError) -> [UInt8]? { try readWithOwner(limit: limit)?.bytes }

    /// The contents, and the user to whom the file belongs.
    package func readWithOwner(limit: Int) throws(SystemError) -> (bytes: [UInt8], owner: UInt32)? {
        let descriptor: OwnedDescriptor
        do throws(SystemError) {
            descriptor = try OwnedDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        let bytes = try contents(of: descriptor.rawValue, limit: limit)
        guard bytes.count <= limit else { throw SystemError(call: "read", code: EFBIG, path: path) }
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { throw .last("fstat", path: path) }
        return (bytes, status.st_uid)
    }

    /// Replaces the contents, and returns when the new contents are on the disk.
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

    /// Replaces another file in the same folder with this one.
    package func move(to other: StateFile) throws(SystemError) {
        guard rename(path, other.path) == 0 else { throw .last("rename", path: other.path) }
        try syncFolder()
    }

    /// Removes the file, if it exists, and returns when the removal is on the disk.
    package func remove() throws(SystemError) {
        guard unlink(path) == 0 || linux_errno() == ENOENT else { throw .last("unlink", path: path) }
        try syncFolder()
    }

    /// Syncs the folder, so that changes of file names are on the disk.
    private func syncFolder() throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = try OwnedDescriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
        _ = try retryingOnInterrupt("fsync", path: folder) { fsync(descriptor.rawValue) }
    }

    /// Creates a file that only its owner may read, in the place of whatever is there, and writes to it.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) -> OwnedDescriptor {
        // Opening a pipe in its place would wait for a reader.
        unlink(path)
        let descriptor = OwnedDescriptor(
            adopting: try retryingOnInterrupt("open", path: path) { linux_create(path, 0o600) })
        try LinuxSystem.write(all: bytes, to: descriptor.rawValue, path: path)
        return descriptor
    }

    private func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = try Self.create(path, bytes)
        // The mode is set explicitly, so that it does not depend on the umask.
        if isPublic { _ = try retryingOnInterrupt("fchmod", path: path) { fchmod(descriptor.rawValue, 0o644) } }
        _ = try retryingOnInterrupt("fsync", path: path) { fsync(descriptor.rawValue) }
    }
}
