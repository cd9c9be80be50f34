// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Whole files in and out.
enum FileBytes {
    /// - Parameters:
    ///   - path: a file; `-` is the standard input.
    ///   - limit: reading stops just behind it, so that the caller sees that it is too much.
    /// - Throws: `ToolError` 66.
    static func read(_ path: String, limit: Int) throws(ToolError) -> [UInt8] {
        do throws(SystemError) {
            guard path != "-" else { return try read(descriptor: STDIN_FILENO, path, limit) }
            let file = try OwnedDescriptor(opening: path, flags: O_RDONLY)
            return try read(descriptor: file.rawValue, path, limit)
        } catch {
            throw ToolError(.noInput, "\(path.safe): \(reason(error))")
        }
    }

    private static func read(descriptor: CInt, _ path: String, _ limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            var count = 0
            let block = [UInt8](unsafeUninitializedCapacity: 65536) { space, used in
                count = CLinux.read(descriptor, space.baseAddress, space.count)
                used = max(0, count)
            }
            if count < 0, linux_errno() == EINTR { continue }
            guard count >= 0 else { throw .last("read", path: path) }
            guard count > 0 else { break }
            bytes.append(contentsOf: block)
        }
        return bytes
    }

    /// Makes the file or replaces what it holds.
    /// - Throws: `ToolError` 73.
    static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
        let descriptor = creat(path, 0o644)
        guard descriptor >= 0 else {
            throw ToolError(.cannotCreate, "\(path.safe): \(reason(SystemError.last("open")))")
        }
        let file = OwnedDescriptor(adopting: descriptor)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CLinux.write(file.rawValue, $0.baseAddress, $0.count) }
            if count < 0, linux_errno() == EINTR { continue }
            guard count > 0 else {
                throw ToolError(.cannotCreate, "\(path.safe): \(reason(SystemError.last("write")))")
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func reason(_ error: SystemError) -> String {
        strerror(error.code).map { String(cString: $0) } ?? "error \(error.code)"
    }
}
