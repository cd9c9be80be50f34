// SPDX-License-Identifier: MIT

/// Where the bytes of a file come from, block by block; a class, because libyaml calls back with a
/// pointer.
package final class YamlInput {
    /// Fills a buffer; returns how many bytes are in it, 0 at the end, nil when they cannot be read.
    package typealias Source = (UnsafeMutableBufferPointer<UInt8>) -> Int?

    /// Bytes that are read at most.
    package let limit: Int
    private let source: Source
    private var count = 0
    /// There was more than `limit`.
    private(set) var isTooLarge = false

    package init(limit: Int, _ source: @escaping Source) {
        self.limit = limit
        self.source = source
    }

    /// From memory.
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
