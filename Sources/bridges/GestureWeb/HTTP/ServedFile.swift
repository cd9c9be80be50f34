// SPDX-License-Identifier: MIT
#if Web
import CLinux
import LinuxSystem
import NIOCore

/// An open regular file inside a folder.
final class ServedFile {
    /// The maximum number of bytes in one read.
    private static let piece = 65_536

    /// The size of the file when it was opened. Exactly this number of bytes is sent.
    let size: Int
    private var left: Int
    private let descriptor: OwnedDescriptor

    /// Opens a file. Does not follow symbolic links inside the folder, and cannot leave the folder in any other way.
    ///
    /// - Parameter path: names separated by `/`.
    /// - Returns: `nil` if there is no such file, if it may not be read, or if one of the names begins with a dot.
    init?(_ path: String, in folder: String) {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && $0.first != "." && !$0.utf8.contains(0) }) else { return nil }
        let raw = linux_open_below(folder, names.joined(separator: "/"))
        guard raw >= 0 else { return nil }
        let descriptor = OwnedDescriptor(adopting: raw)
        let size = linux_regular_size(raw)
        guard size >= 0 else { return nil }
        self.descriptor = descriptor
        self.size = Int(size)
        left = self.size
    }

    /// Returns the next bytes; `nil` at the end, or if the file has become shorter.
    func next() -> ByteBuffer? {
        guard left > 0, let bytes = try? piece(upTo: min(left, Self.piece)), !bytes.isEmpty else { return nil }
        left -= bytes.count
        return ByteBuffer(bytes: bytes)
    }

    private func piece(upTo count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = read(descriptor.rawValue, &bytes, count)
        guard taken >= 0 else { throw .last("read") }
        bytes.removeLast(count - taken)
        return bytes
    }

    /// Returns the media type of a file, which is determined by the extension of its name.
    static func type(of path: String) -> String {
        let end = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
        return types[end] ?? "application/octet-stream"
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "ts": "text/plain; charset=utf-8",
        "json": "application/json", "txt": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "ico": "image/x-icon",
        "woff2": "font/woff2", "woff": "font/woff", "ttf": "font/ttf", "wasm": "application/wasm",
        "mp4": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg", "ogg": "audio/ogg", "pdf": "application/pdf",
        "webmanifest": "application/manifest+json", "map": "application/json",
    ]
}
#endif
