// SPDX-License-Identifier: MIT

/// What an id or the name of a gesture may be: letters of any script, digits, and `_ . : / -`, but no `-` at the
/// beginning; 1 to 64 bytes.
///
/// Shells, terminals, globs and lists of ids take these characters as they are, and options of programs begin with `-`.
package enum Identifier {
    /// They are part of every line of the socket.
    static let mostBytes = 64

    /// What is wrong with a text, in words that follow it; `nil`: nothing.
    package static func mistake(in text: String) -> String? {
        let rule = "give letters, digits and _ . : / -"
        guard !text.isEmpty, text.utf8.count <= mostBytes else { return "must be 1 to \(mostBytes) bytes" }
        guard !text.hasPrefix("-") else { return "must not begin with '-'" }
        guard let bad = text.unicodeScalars.first(where: { !isAllowed($0) }) else { return nil }
        return "must not contain '\(bad)'; \(rule)"
    }

    /// The text with `_` in place of each sign that is not allowed; `nil` if that is no cure either.
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
        // It takes longer to look these up.
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            // Some letters, such as the fillers of Hangul, are not visible.
            !scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}
