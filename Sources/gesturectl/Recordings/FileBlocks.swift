// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// A file, or the standard input, read block by block.
final class FileBlocks {
    private let path: String
    private let descriptor: CInt
    /// What has been looked at ahead and not been read yet.
    private var ahead: ArraySlice<UInt8> = []
    /// Why the last read failed.
    private(set) var failure: ToolError?

    /// - Parameter path: `-` is the standard input.
    /// - Throws: `ToolError` 66.
    init(_ path: String) throws(ToolError) {
        self.path = path
        do throws(SystemError) {
            descriptor = path == "-" ? STDIN_FILENO : try OwnedDescriptor(opening: path, flags: O_RDONLY).release()
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// - Returns: how many bytes were read, 0 at the end; nil after a `failure`.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        if !ahead.isEmpty {
            let part = ahead.prefix(buffer.count)
            _ = buffer.update(fromContentsOf: part)
            ahead = ahead.dropFirst(part.count)
            return part.count
        }
        while true {
            let count = CLinux.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard linux_errno() == EINTR else {
                failure = Self.unreadable(path, .last("read", path: path))
                return nil
            }
        }
    }

    /// The file's beginning, without reading it: what one read gives.
    /// - Throws: `ToolError` 66.
    func peek() throws(ToolError) -> ArraySlice<UInt8> {
        if ahead.isEmpty { ahead = try block()[...] }
        return ahead
    }

    /// The rest of the file.
    /// - Parameter limit: reading stops just behind it, so that the caller sees that it is too much.
    /// - Throws: `ToolError` 66.
    func rest(limit: Int) throws(ToolError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let block = try block()
            guard !block.isEmpty else { break }
            bytes.append(contentsOf: block)
        }
        return bytes
    }

    private func block() throws(ToolError) -> [UInt8] {
        var count: Int?
        let block = [UInt8](unsafeUninitializedCapacity: 65536) { space, used in
            count = read(into: space)
            used = count ?? 0
        }
        if count == nil, let failure { throw failure }
        return block
    }

    private static func unreadable(_ path: String, _ error: SystemError) -> ToolError {
        ToolError(
            .noInput, "\(path.safe): \(strerror(error.code).map { String(cString: $0) } ?? "error \(error.code)")")
    }
}
