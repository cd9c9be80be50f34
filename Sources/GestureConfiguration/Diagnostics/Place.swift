// SPDX-License-Identifier: MIT

/// A place in a configuration file that outlives the text: it carries its line.
package struct Place: Hashable, Sendable {
    package var file: String
    /// From 1; 0: the file as a whole.
    package var line: Int
    /// From 1, in code points; 0: the file as a whole.
    package var column: Int
    /// Code points, at least 1.
    package var length: Int
    package var source: String?

    package init(file: String, line: Int = 0, column: Int = 0, length: Int = 1, source: String? = nil) {
        self.file = file
        self.line = line
        self.column = column
        self.length = length
        self.source = source
    }
}
