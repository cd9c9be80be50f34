// SPDX-License-Identifier: MIT
import CTomlPlusPlus

/// Parses TOML with toml++ into a tree of values that know where they stand.
enum TomlParser {
    struct SyntaxError: Error {
        var range: SourceRange
        var message: String
    }

    private static let longestMessage = 256
    /// The deepest key that has a meaning has three.
    private static let mostDots = 16

    /// - Parameter file: the file index of every range in the tree.
    static func parse(_ text: [UInt8], file: Int) throws(SyntaxError) -> ConfigurationTable {
        if let line = firstLineTooDeep(in: text) {
            throw SyntaxError(
                range: SourceRange(file: file, line: line, column: 1), message: "a key of more than \(mostDots) dots")
        }
        let builder = TomlTreeBuilder(file: file)
        var region = ctoml_region()
        var message = [CChar](repeating: 0, count: longestMessage)
        let status = text.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty array may have no address; toml++ needs one.
                guard let start = characters.baseAddress else { return CInt(0) }
                return ctoml_parse(
                    start, characters.count, visitTomlEvent, Unmanaged.passUnretained(builder).toOpaque(),
                    &region, &message, message.count)
            }
        }
        if status != 0 {
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw SyntaxError(
                range: SourceRange(file: file, line: Int(region.line), column: Int(region.column)),
                message: shortened(text))
        }
        return builder.root
    }

    /// `Error while parsing string: unterminated` becomes `in string: unterminated`.
    private static func shortened(_ message: String) -> String {
        let prefix = "Error while parsing "
        return message.hasPrefix(prefix) ? "in " + message.dropFirst(prefix.count) : message
    }

    /// The line of the first key with too many dots. Dots in strings and comments do not count.
    ///
    /// toml++ makes a table for each dot and frees them recursively: a megabyte of dots would overflow
    /// the stack.
    private static func firstLineTooDeep(in text: [UInt8]) -> Int? {
        var line = 1
        var dots = 0
        var i = 0
        while i < text.count {
            switch text[i] {
            case UInt8(ascii: "\n"):
                line += 1
                dots = 0
            case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["):
                dots = 0
            case UInt8(ascii: "."):
                dots += 1
                if dots > mostDots { return line }
            case UInt8(ascii: "#"):
                while i + 1 < text.count, text[i + 1] != UInt8(ascii: "\n") { i += 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                i = endOfString(text, from: i, &line)
            default:
                break
            }
            i += 1
        }
        return nil
    }

    /// The index of the last quote of the string that begins at `start`.
    private static func endOfString(_ text: [UInt8], from start: Int, _ line: inout Int) -> Int {
        let quote = text[start]
        let isLong = start + 2 < text.count && text[start + 1] == quote && text[start + 2] == quote
        var i = isLong ? start + 3 : start + 1
        while i < text.count {
            if text[i] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                i += 1
            } else if text[i] == UInt8(ascii: "\n") {
                // The parser reports a string of one line that does not end.
                if !isLong { return i - 1 }
                line += 1
            } else if text[i] == quote {
                if !isLong { return i }
                if i + 2 < text.count, text[i + 1] == quote, text[i + 2] == quote { return i + 2 }
            }
            i += 1
        }
        return text.count
    }
}

private func visitTomlEvent(_ event: UnsafePointer<ctoml_event>?, _ context: UnsafeMutableRawPointer?) {
    guard let event, let context else { return }
    Unmanaged<TomlTreeBuilder>.fromOpaque(context).takeUnretainedValue().visit(event.pointee)
}
