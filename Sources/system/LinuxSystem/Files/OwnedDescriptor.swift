// SPDX-License-Identifier: MIT
import CLinux

/// Owns an open file descriptor and closes it exactly once.
@frozen
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let rawValue: CInt

    /// Takes ownership of an open descriptor.
    package init(adopting rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// Opens an existing file at `path` with `flags` (such as `O_RDONLY | O_NONBLOCK`) and close-on-exec.
    /// - Throws: `SystemError` with `open`, the path and the errno.
    package init(opening path: String, flags: CInt) throws(SystemError) {
        rawValue = try retryingOnInterrupt("open", path: path) { linux_open(path, flags) }
    }

    /// Opens a path that is given as bytes. They need not be UTF-8, and the last byte must be 0.
    package init(opening path: [CChar], flags: CInt) throws(SystemError) {
        let shown = path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        rawValue = try retryingOnInterrupt("open", path: shown) { linux_open(path, flags) }
    }

    deinit {
        // This is not repeated on EINTR, because Linux has already closed the descriptor.
        _ = close(rawValue)
    }

    /// Returns the descriptor without closing it. The caller must close it.
    package consuming func release() -> CInt {
        let result = rawValue
        discard self
        return result
    }
}

/// Reads a file to its end, but at most one byte more than `limit`. The file may grow while it is read, so its size is
/// not used.
package func contents(of descriptor: CInt, limit: Int) throws(SystemError) -> [UInt8] {
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while result.count <= limit {
        let count = read(descriptor, &block, min(block.count, limit + 1 - result.count))
        if count == 0 { break }
        if count < 0, linux_errno() != EINTR { throw .last("read") }
        result += block.prefix(max(0, count))
    }
    return result
}

/// Writes all bytes, and waits while the descriptor accepts none.
/// - Parameter path: the path of the file, for the error.
/// - Throws: `SystemError` as soon as a write fails. Earlier bytes have been written by then.
package func write(
    all bytes: UnsafeRawBufferPointer, to descriptor: CInt, path: String? = nil
) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = CLinux.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, linux_errno() == EINTR { continue }
        guard count > 0 else { throw SystemError(call: "write", code: count < 0 ? linux_errno() : EIO, path: path) }
        rest = rest.dropFirst(count)
    }
}

/// Writes all bytes, as `write(all:to:path:)` does.
package func write(all bytes: [UInt8], to descriptor: CInt, path: String? = nil) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
        try write(all: UnsafeRawBufferPointer(bytes), to: descriptor, path: path)
    }
}

/// Calls `body` with each name in a directory, in no particular order. Names need not be UTF-8.
package func forEachName(in directory: String, _ body: (UnsafePointer<CChar>) -> Void) throws(SystemError) {
    var stream = opendir(directory)
    while stream == nil, linux_errno() == EINTR { stream = opendir(directory) }
    guard let stream else { throw .last("opendir", path: directory) }
    try forEachName(of: stream, path: directory, body)
}

/// Calls `body` with each name in a directory that was opened for reading.
package func forEachName(
    in directory: consuming OwnedDescriptor, _ body: (UnsafePointer<CChar>) -> Void
) throws(SystemError) {
    guard let stream = fdopendir(directory.rawValue) else { throw .last("fdopendir") }
    // The stream closes the descriptor.
    _ = directory.release()
    try forEachName(of: stream, path: nil, body)
}

/// Calls `body` with each name, and closes the stream.
private func forEachName(
    of stream: OpaquePointer, path: String?, _ body: (UnsafePointer<CChar>) -> Void
) throws(SystemError) {
    defer { closedir(stream) }
    while let name = linux_next_name(stream) { body(name) }
    if linux_errno() != 0 { throw .last("readdir", path: path) }
}
