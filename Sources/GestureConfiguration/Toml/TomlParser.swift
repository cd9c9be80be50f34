// SPDX-License-Identifier: MIT
import CTomlPlusPlus

/// A TOML text as a tree, with the place of every key and value.
enum TomlParser {
    struct SyntaxError: Error {
        var region: TextRegion
        var message: String
    }

    private static let longestMessage = 256

    /// - Parameter file: what the places in the tree name as their file.
    static func parse(_ text: [UInt8], file: Int) throws(SyntaxError) -> TomlTable {
        if let line = KeyDepth.firstLineTooDeep(in: text) {
            throw SyntaxError(
                region: TextRegion(file: file, line: line, column: 1),
                message: "a key of more than \(KeyDepth.mostDots) dots")
        }
        let builder = TomlTreeBuilder(file: file)
        var place = ctoml_region()
        var message = [CChar](repeating: 0, count: longestMessage)
        let status = text.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty array may have no address; toml++ wants one.
                guard let start = characters.baseAddress else { return CInt(0) }
                return ctoml_parse(
                    start, characters.count, visitTomlEvent, Unmanaged.passUnretained(builder).toOpaque(),
                    &place, &message, message.count)
            }
        }
        if status != 0 {
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw SyntaxError(
                region: TextRegion(file: file, line: Int(place.line), column: Int(place.column)),
                message: inOurWords(text))
        }
        return builder.root
    }

    /// `Error while parsing string: unterminated` becomes `in string: unterminated`.
    private static func inOurWords(_ message: String) -> String {
        let prefix = "Error while parsing "
        return message.hasPrefix(prefix) ? "in " + message.dropFirst(prefix.count) : message
    }
}

private func visitTomlEvent(_ event: UnsafePointer<ctoml_event>?, _ context: UnsafeMutableRawPointer?) {
    guard let event, let context else { return }
    Unmanaged<TomlTreeBuilder>.fromOpaque(context).takeUnretainedValue().visit(event.pointee)
}
