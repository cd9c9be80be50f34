// SPDX-License-Identifier: MIT

/// Why bytes are no recording.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        case tooLarge, unknownLine, badNumber, outOfRange, wrongOrder, noDescription, unsupportedVersion, badSyntax,
            wrongType, missingKey
    }

    package var code: Code
    /// From 1; 0 when it is about the whole file.
    package var line: Int
    /// From 1; 0 when it is about the whole line.
    package var column: Int
    /// The cause, and after a semicolon the cure.
    package var message: String

    package init(_ code: Code, line: Int, column: Int = 0, _ message: String) {
        self.code = code
        self.line = line
        self.column = column
        self.message = message
    }

    /// `line 12: "0003 0g39" is no hexadecimal number; evemu writes type and code as four digits`
    package var description: String { line > 0 ? "line \(line): \(message)" : message }
}
