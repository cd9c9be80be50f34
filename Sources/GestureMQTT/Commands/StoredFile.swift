// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Files that are there completely or not at all, also after a power cut.
enum StoredFile {
    /// Writes a file beside this one, and puts it in its place.
    static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let new = path + ".new"
        do {
            // 0644: the daemon reads it.
            let file = OwnedDescriptor(adopting: try retryingOnInterrupt("creat", path: new) { creat(new, 0o644) })
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { CLinux.write(file.rawValue, $0.baseAddress, $0.count) }
                if count < 0, linux_errno() == EINTR { continue }
                guard count > 0 else { throw .last("write", path: new) }
                rest = rest.dropFirst(count)
            }
            _ = try retryingOnInterrupt("fsync", path: new) { fsync(file.rawValue) }
        }
        try move(new, to: path)
    }

    static func move(_ old: String, to new: String) throws(SystemError) {
        guard rename(old, new) == 0 else { throw .last("rename", path: new) }
        try syncFolder(of: new)
    }

    static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || linux_errno() == ENOENT else { throw .last("unlink", path: path) }
        try syncFolder(of: path)
    }

    private static func syncFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = try OwnedDescriptor(opening: folder.isEmpty ? "/" : folder, flags: O_RDONLY | O_DIRECTORY)
        _ = try retryingOnInterrupt("fsync", path: folder) { fsync(descriptor.rawValue) }
    }
}
