// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Whole files in and out.
enum FileBytes {
    /// - Parameters:
    ///   - path: a file; `-` is the standard input.
    ///   - limit: reading stops just after it, so that the caller can tell that the file is too long.
    /// - Throws: `ToolError` 66.
    static func read(_ path: String, limit: Int) throws(ToolError) -> [UInt8] {
        try FileBlocks(path).rest(limit: limit)
    }

    /// Checks that `write` can write there, before somebody makes a recording. Changes nothing.
    /// - Throws: `ToolError` 73.
    static func checkWritable(_ path: String) throws(ToolError) {
        if access(path, W_OK) == 0 { return }
        var error = SystemError.last("access")
        if error.code == ENOENT {
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            if access(folder, W_OK | X_OK) == 0 { return }
            error = .last("access")
        }
        throw ToolError(.cannotCreate, "\(path.safe): \(error.reason)")
    }

    /// Creates or replaces a file.
    /// - Throws: `ToolError` 73.
    static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
        let descriptor = creat(path, 0o644)
        guard descriptor >= 0 else {
            throw ToolError(.cannotCreate, "\(path.safe): \(SystemError.last("open").reason)")
        }
        let file = OwnedDescriptor(adopting: descriptor)
        if let error = writeAll(bytes, to: file.rawValue) {
            throw ToolError(.cannotCreate, "\(path.safe): \(error.reason)")
        }
    }
}
