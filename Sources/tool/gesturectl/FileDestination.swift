// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// A file to write at a path that the user has given, in a folder that other users may change at the same time.
///
/// Symbolic links in the path are followed only if root or this user owns them. Root replaces an existing regular file
/// with a new one instead of writing to it, because the old file may have hard links or be open in another process.
struct FileDestination: ~Copyable {
    private let path: String
    private let folder: OwnedDescriptor
    private let name: [CChar]

    /// - Throws: `ToolError` 73.
    init(_ path: String) throws(ToolError) {
        var name = [CChar](repeating: 0, count: Int(NAME_MAX) + 1)
        let raw = linux_open_folder_of(path, &name)
        guard raw >= 0 else { throw Self.failure(path, .last("open")) }
        folder = OwnedDescriptor(adopting: raw)
        self.path = path
        self.name = name
    }

    /// Checks that the file can be written, without changing anything.
    /// - Throws: `ToolError` 73.
    func checkWritable() throws(ToolError) {
        let isThere = try kind() != nil
        let result =
            isThere
            ? faccessat(folder.rawValue, name, W_OK, 0) : faccessat(folder.rawValue, ".", W_OK | X_OK, 0)
        guard result == 0 else { throw Self.failure(path, .last("access")) }
    }

    /// Creates the file or replaces its contents.
    /// - Parameter isPrivate: whether only this user may read it; an existing file is then replaced as a whole.
    /// - Throws: `ToolError` 73.
    func write(_ bytes: [UInt8], isPrivate: Bool) throws(ToolError) {
        let kind = try kind()
        var flags = O_WRONLY | O_TRUNC
        if kind == nil || kind == S_IFREG {
            flags |= O_CREAT
            if isPrivate || geteuid() == 0 {
                guard kind == nil || unlinkat(folder.rawValue, name, 0) == 0 else {
                    throw Self.failure(path, .last("unlink"))
                }
                flags |= O_EXCL
            }
        }
        let descriptor = linux_open_found(folder.rawValue, name, flags, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw Self.failure(path, .last("open")) }
        let file = OwnedDescriptor(adopting: descriptor)
        if let error = writeAll(bytes, to: file.rawValue) { throw Self.failure(path, error) }
    }

    /// Removes the file.
    /// - Throws: `ToolError` 73.
    func remove() throws(ToolError) {
        guard unlinkat(folder.rawValue, name, 0) == 0 else { throw Self.failure(path, .last("unlink")) }
    }

    /// Returns the kind of the existing file, as the bits of `S_IFMT`; `nil` if there is none.
    /// - Throws: `ToolError` 73 if it is a FIFO that belongs to another user, because it may never be read.
    private func kind() throws(ToolError) -> mode_t? {
        var status = stat()
        guard fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure(path, .last("stat"))
        }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFIFO, status.st_uid != geteuid() {
            throw ToolError(.cannotCreate, "\(path.safe): this FIFO belongs to another user")
        }
        return kind
    }

    private static func failure(_ path: String, _ error: SystemError) -> ToolError {
        ToolError(.cannotCreate, "\(path.safe): \(error.reasonForPath)")
    }
}

extension SystemError {
    /// The reason why a path could not be opened, if only symbolic links of trusted users were followed.
    var reasonForPath: String {
        code == ELOOP ? "the path leads through a symbolic link of another user, or through a loop of links" : reason
    }
}
