// SPDX-License-Identifier: MIT

/// Writes strings as valid UTF-8. Characters that are unsafe in a terminal or a web page are escaped.
extension JSONWriter {
    /// Writes a string.
    public mutating func value(_ text: String) {
        separate(1)
        append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { bytes in
            let isPlain = bytes.allSatisfy { Self.isPlain($0) }
            if isPlain { append(bytes) }
            return isPlain
        }
        if !isPlain {
            for scalar in text.unicodeScalars { appendEscaped(scalar) }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append(escape: UInt8(ascii: "\""))
        case "\\": append(escape: UInt8(ascii: "\\"))
        case "\n": append(escape: UInt8(ascii: "n"))
        case "\r": append(escape: UInt8(ascii: "r"))
        case "\t": append(escape: UInt8(ascii: "t"))
        case _ where SafeText.isUnsafe(scalar):
            let digits = Array("0123456789abcdef".utf8)
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                append(escape: UInt8(ascii: "u"))
                for shift in [12, 8, 4, 0] { append(digits[Int(unit >> shift & 0xF)]) }
            }
        default:
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
        }
    }

    private mutating func append(escape byte: UInt8) {
        append(UInt8(ascii: "\\"))
        append(byte)
    }

    /// Whether a byte never needs an escape. Scalars with `SafeText.isUnsafe` are escaped, because terminals and web
    /// pages show lines.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && !SafeText.mayBeginUnsafe(byte)
    }
}
