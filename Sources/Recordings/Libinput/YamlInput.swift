// SPDX-License-Identifier: MIT

/// The bytes of a file, block by block. A class, because libyaml calls back with a pointer to it.
package final class YamlInput {
    /// Fills a buffer. Returns the number of bytes, 0 at the end, or `nil` when they cannot be read.
    package typealias Source = (UnsafeMutableBufferPointer<UInt8>) -> Int?

    /// The largest number of bytes.
    package let limit: Int
    private let source: Source
    private var count = 0
    /// Whether there were more than `limit`.
    private(set) var isTooLarge = false

    package init(limit: Int, _ source: @escaping Source) {
        self.limit = limit
        self.source = source
    }

    /// Bytes in memory.
    package convenience init(_ bytes: [UInt8], limit: Int) {
        var rest = bytes[...]
        self.init(limit: limit) { buffer in
            let part = rest.prefix(buffer.count)
            _ = buffer.update(fromContentsOf: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard let read = source(buffer) else { return nil }
        count += read
        isTooLarge = count > limit
        return isTooLarge ? nil : read
    }
}
