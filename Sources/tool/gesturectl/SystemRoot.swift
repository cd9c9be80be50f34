// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// A folder that is used as `/`, such as a system image. Another user may have made it.
///
/// Every path is resolved as in that system: symbolic links and `..` do not lead out of the folder.
struct SystemRoot: ~Copyable {
    private let descriptor: OwnedDescriptor

    private init(adopting descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// - Throws: `ToolError` 66 if it is not a folder, 69 if the kernel is too old to resolve paths below a folder.
    static func at(_ path: String) throws(ToolError) -> SystemRoot {
        let descriptor = linux_open(path, O_RDONLY | O_DIRECTORY)
        guard descriptor >= 0 else { throw ToolError(.noInput, "\(path.safe): \(SystemError.last("open").reason)") }
        let root = SystemRoot(adopting: OwnedDescriptor(adopting: descriptor))
        do throws(SystemError) {
            _ = try root.open("/", O_RDONLY | O_DIRECTORY)
        } catch {
            let cure = error.code == ENOSYS ? "; it needs Linux 5.6 or newer" : ""
            throw ToolError(.unavailable, "openat2: \(error.reason)\(cure)")
        }
        return root
    }

    /// Opens an existing file or folder.
    func open(_ path: String, _ flags: CInt) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            adopting: try retryingOnInterrupt("openat2", path: path) {
                linux_open_in_root(descriptor.rawValue, path, flags)
            })
    }

    /// Opens a folder. If it or folders above it do not exist, they are created.
    func makeFolder(_ path: String) throws(SystemError) -> OwnedDescriptor {
        var folder = try open("/", O_RDONLY | O_DIRECTORY)
        var reached = ""
        for part in path.split(separator: "/") {
            reached += "/\(part)"
            if mkdirat(folder.rawValue, String(part), 0o755) != 0, errno != EEXIST {
                throw .last("mkdir", path: reached)
            }
            // Resolves the path from the root again, because a link may lead anywhere below the root.
            folder = try open(reached, O_RDONLY | O_DIRECTORY)
        }
        return folder
    }
}

extension OwnedDescriptor {
    /// Whether the entry with this name in the folder was shipped by this project: a link whose target has one of these
    /// endings, or a regular file with these contents. `nil`: there is no entry.
    func isShipped(_ name: String, linkEndings: [String], contents shipped: [UInt8]?) throws(SystemError) -> Bool? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlinkat(rawValue, name, &buffer, buffer.count)
        if length >= 0 {
            let target = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return linkEndings.contains { target.hasSuffix($0) }
        }
        if errno == ENOENT { return nil }
        guard errno == EINVAL else { throw .last("readlink", path: name) }
        let file = OwnedDescriptor(
            adopting: try retryingOnInterrupt("open", path: name) {
                linux_open_at(rawValue, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
            })
        guard let shipped, linux_regular_size(file.rawValue) == Int64(shipped.count) else { return false }
        return try LinuxSystem.contents(of: file.rawValue, limit: shipped.count) == shipped
    }
}
