// SPDX-License-Identifier: MIT

/// The rule for ids and names of gestures: letters of any script, digits, and `_ . : / -`, but no `-` at the
/// beginning; 1 to 64 bytes.
///
/// These characters need no quoting in shells, terminals, globs and lists of ids. A `-` at the beginning is not
/// allowed, because it would look like an option of a program.
package enum Identifier {
    /// The maximum length. Ids are part of every line on the socket.
    package static let mostBytes = 64

    /// Returns a description of the mistake in a text, to be appended to its name: `must not begin with '-'`. `nil` if the
    /// text is a valid identifier.
    package static func mistake(in text: String) -> String? {
        let rule = "use letters, digits and _ . : / -"
        guard !text.isEmpty, text.utf8.count <= mostBytes else { return "must be 1 to \(mostBytes) bytes" }
        guard !text.hasPrefix("-") else { return "must not begin with '-'" }
        guard let bad = text.unicodeScalars.first(where: { !isAllowed($0) }) else { return nil }
        return "must not contain '\(bad)'; \(rule)"
    }

    /// Returns the text with `_` instead of each character that is not allowed; `nil` if the result is still not a valid
    /// identifier.
    static func cured(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(isAllowed(scalar) && !(scalars.isEmpty && scalar == "-") ? scalar : "_")
        }
        let cured = String(scalars)
        return mistake(in: cured) == nil ? cured : nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", ":", "/", "-": return true
        case "\0"..."\u{7F}": return false
        default: break
        }
        // These lookups take longer, so they come last.
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            // Some letters, such as the fillers of Hangul, are not visible.
            !scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}
