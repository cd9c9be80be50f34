// SPDX-License-Identifier: MIT

/// What is wrong with a configuration, where, and what would be right.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, Hashable, Sendable {
        /// The configuration is not used.
        case error
        case warning
    }

    package var severity: Severity
    package var code: DiagnosticCode
    /// Lower case, no full stop, without the suggestion.
    package var message: String
    /// The nearest name that would be right.
    package var suggestion: String?
    /// The path as it was given.
    package var file: String
    /// From 1; 0: the file as a whole.
    package var line: Int
    /// From 1, in code points; 0: the file as a whole.
    package var column: Int
    /// How many code points are meant, from `column` on.
    package var length: Int
    /// The line's text without its end; `nil` where there is none.
    package var source: String?

    package init(
        severity: Severity, code: DiagnosticCode, message: String, suggestion: String? = nil, place: Place
    ) {
        self.severity = severity
        self.code = code
        // Both may quote a broken file.
        self.message = SourceFile.printable(message)
        self.suggestion = suggestion.map { SourceFile.printable($0) }
        file = place.file
        line = place.line
        column = place.column
        length = place.length
        source = place.source
    }

    package var isError: Bool { severity == .error }

    /// `gestured.toml:41:21: error: unknown key "slopp"; did you mean "slop"?`
    package var headline: String {
        let place = line > 0 ? "\(file):\(line):\(column)" : file
        let cure = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
        return "\(place): \(severity.rawValue): \(message)\(cure)"
    }

    /// The headline, the line it is about, and a caret under every character that is meant.
    package var description: String {
        guard let source, line > 0 else { return headline }
        let number = String(line)
        let margin = String(repeating: " ", count: max(0, 5 - number.count))
        let gap = String(repeating: " ", count: max(5, number.count))
        let scalars = Array(source.unicodeScalars)
        // Tabs stay tabs, so that the caret stands where the terminal puts the text.
        var indent = ""
        for scalar in scalars.prefix(max(0, column - 1)) { indent += scalar == "\t" ? "\t" : " " }
        let carets = max(1, min(length, scalars.count - column + 1))
        return "\(headline)\n\(margin)\(number) | \(source)\n\(gap) | \(indent)\(String(repeating: "^", count: carets))"
    }
}
