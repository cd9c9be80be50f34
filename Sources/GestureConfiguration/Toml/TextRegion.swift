// SPDX-License-Identifier: MIT

/// Where a key or a value stands in the text of one file. Lines and columns count from 1, columns
/// in code points.
struct TextRegion: Hashable, Sendable {
    /// Index into the files that were read.
    var file: Int
    var line: Int
    var column: Int
    /// Code points on that line; at least 1.
    var length: Int

    init(file: Int, line: Int, column: Int, length: Int = 1) {
        self.file = file
        self.line = max(1, line)
        self.column = max(1, column)
        self.length = max(1, length)
    }
}
