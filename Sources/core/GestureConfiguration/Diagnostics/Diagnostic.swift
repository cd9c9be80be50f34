// SPDX-License-Identifier: MIT
package import GestureProtocol

/// A mistake in a configuration: its kind, its location, and a suggestion if there is one.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The severity of a diagnostic. Only errors prevent the use of the configuration.
    package enum Severity: String, Hashable, Sendable {
        /// The configuration is rejected.
        case error
        case warning
    }

    package var severity: Severity
    package var code: DiagnosticCode
    /// The message in lower case, without a full stop and without the suggestion.
    package var message: String
    /// The valid name that is most similar.
    package var suggestion: String?
    package var location: SourceLocation

    package init(
        severity: Severity, code: DiagnosticCode, message: String, suggestion: String? = nil,
        at location: SourceLocation
    ) {
        self.severity = severity
        self.code = code
        // Both texts may quote a file that contains control characters.
        self.message = SourceFile.printable(message)
        self.suggestion = suggestion.map { SourceFile.printable($0) }
        self.location = location
    }

    package var isError: Bool { severity == .error }
    package var file: String { location.file }
    package var line: Int { location.line }
    package var column: Int { location.column }
    package var length: Int { location.length }
    package var source: String? { location.source }

    /// `gestured.toml:41:21: error: unknown key "slopp"; did you mean "slop"?`
    package var headline: String { "\(location.place): \(severity.rawValue): \(advice)" }

    /// The headline without the severity, for a log that has its own severities.
    package var logLine: String { "\(location.place): \(advice)" }

    private var advice: String { message + Spelling.hint(suggestion) }

    /// The result of `text` if every character takes one column.
    package var description: String { text { _ in 1 } }

    /// Returns the headline, the source line, and carets under the characters that are wrong.
    /// - Parameter columns: returns the number of terminal columns that a character takes.
    package func text(columns: (Unicode.Scalar) -> Int) -> String {
        location.text("\(severity.rawValue): \(advice)", columns: columns)
    }
}

extension Diagnostic {
    /// Writes the members that a diagnostic has in the protocol.
    package func write(into json: inout JSONWriter) {
        json.member("severity", severity.rawValue)
        json.member("file", file)
        json.member("line", line)
        json.member("column", column)
        json.member("code", code.rawValue)
        json.member("message", message)
        if let suggestion { json.member("suggestion", suggestion) }
    }
}

/// The location of a diagnostic. It contains the text of its line, so the file need not be kept.
package struct SourceLocation: Hashable, Sendable {
    /// The path of the file, as it was given.
    package var file: String
    /// The line number, counted from 1; 0: the whole file.
    package let line: Int
    /// The column, counted from 1 in code points; 0: the whole file.
    package let column: Int
    /// The number of code points from `column` on, at least 1.
    package let length: Int
    /// The text of the line without its end, or the part around the column if the line is long. `nil` if there
    /// is no text.
    package var source: String?
    /// The column in `source` that corresponds to `column`.
    var sourceColumn: Int

    package init(file: String, line: Int = 0, column: Int = 0, length: Int = 1) {
        self.file = file
        (self.line, self.column, self.length) = (line, column, length)
        sourceColumn = column
    }
}

extension SourceLocation {
    /// The location as printable text, because file names may contain any character.
    fileprivate var place: String {
        let name = SafeText.terminal(file)
        return line > 0 ? "\(name):\(line):\(column)" : name
    }

    /// Returns a headline that begins with the location, the source line, and carets under the characters from the column
    /// on.
    /// - Parameter columns: returns the number of terminal columns that a character takes.
    package func text(_ message: String, columns: (Unicode.Scalar) -> Int) -> String {
        let headline = "\(place): \(message)"
        guard let source, line > 0 else { return headline }
        let number = String(line)
        let margin = String(repeating: " ", count: max(0, 5 - number.count))
        let gap = String(repeating: " ", count: max(5, number.count))
        let scalars = Array(source.unicodeScalars)
        // Tabs are kept, so that the carets line up in a terminal.
        var indent = ""
        for scalar in scalars.prefix(max(0, sourceColumn - 1)) {
            indent += scalar == "\t" ? "\t" : String(repeating: " ", count: columns(scalar))
        }
        let marked = scalars.dropFirst(max(0, sourceColumn - 1)).prefix(max(1, length))
        let carets = max(1, marked.reduce(0) { $0 + columns($1) })
        return "\(headline)\n\(margin)\(number) | \(source)\n\(gap) | \(indent)\(String(repeating: "^", count: carets))"
    }
}

/// The kind of a mistake. The raw value is its name on the wire.
package enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
    // Errors.
    case unreadable
    case syntax
    case unknownKey = "unknown_key"
    case missingKey = "missing_key"
    case wrongType = "wrong_type"
    case badValue = "bad_value"
    case outOfRange = "out_of_range"
    case missingUnit = "missing_unit"
    case duplicateID = "duplicate_id"
    case duplicateName = "duplicate_name"
    case unknownRegion = "unknown_region"
    case unknownName = "unknown_name"
    case parentCycle = "parent_cycle"
    case gestureCycle = "gesture_cycle"
    case tooMany = "too_many"
    // Warnings.
    case similarID = "similar_id"
    case waits
    case noEffect = "no_effect"
    case neverHit = "never_hit"
    case fewRegions = "few_regions"
    case outside
    case unknownSize = "unknown_size"
    case tooLong = "too_long"
    case unmatched
    case shared
    // Errors or warnings.
    case more
}
