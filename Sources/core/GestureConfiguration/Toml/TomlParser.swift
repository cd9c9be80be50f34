// SPDX-License-Identifier: MIT
import CTomlPlusPlus

/// Parses TOML with toml++ into a tree of values with their locations.
enum TomlParser {
    struct SyntaxError: Error {
        var range: SourceRange
        var message: String
        var code = DiagnosticCode.syntax
    }

    private static let longestMessage = 256
    /// The maximum number of dots in a line. A polygon of 128 corners on one line may have this many.
    private static let mostDots = 256

    /// - Parameters:
    ///   - file: the file index of every range in the tree.
    ///   - limit: the limit for this file and further ones. The values of the file are subtracted.
    static func parse(
        _ text: [UInt8], file: Int, limit: inout TomlValueLimit
    ) throws(SyntaxError) -> ConfigurationTable {
        if let line = firstLineWithManyDots(in: text) {
            throw SyntaxError(
                range: SourceRange(file: file, line: line, column: 1),
                message: "a line has more than \(mostDots) dots; split it into several lines")
        }
        if let range = firstInvalidByte(of: text, file: file) {
            throw SyntaxError(range: range, message: "this is not UTF-8; save the file as UTF-8")
        }
        if let place = limit.take(text) {
            throw SyntaxError(range: range(of: place, in: text, file: file), message: limit.message, code: .tooMany)
        }
        let builder = TomlTreeBuilder(file: file)
        var region = ctoml_range()
        var message = [CChar](repeating: 0, count: longestMessage)
        let status = text.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // The buffer of an empty array may have no address, but toml++ needs one.
                guard let start = characters.baseAddress else { return CInt(0) }
                return ctoml_parse(
                    start, characters.count, visitTomlEvent, Unmanaged.passUnretained(builder).toOpaque(),
                    &region, &message, message.count)
            }
        }
        if status != 0 {
            let said = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let place = SourceRange(file: file, line: Int(region.line), column: Int(region.column))
            if let (range, word) = textWithoutQuotes(in: text, at: place) {
                throw SyntaxError(range: range, message: "text needs quotes: \"\(word)\"")
            }
            throw SyntaxError(range: place, message: shortened(said))
        }
        return builder.root
    }

    /// Shortens `Error while parsing string: unterminated` to `in string: unterminated`.
    private static func shortened(_ message: String) -> String {
        let prefix = "Error while parsing "
        return message.hasPrefix(prefix) ? "in " + message.dropFirst(prefix.count) : message
    }

    /// Returns the number of the first line with too many dots, wherever they are in the line.
    ///
    /// toml++ makes a table for each dot of a key and frees the tables recursively, so a megabyte of dots would
    /// overflow the stack. A key cannot continue on the next line, and values are nested at most 16 levels
    /// deep, so no tree is deeper than 17 times this limit.
    private static func firstLineWithManyDots(in text: [UInt8]) -> Int? {
        var line = 1
        var dots = 0
        for byte in text {
            if byte == UInt8(ascii: "\n") {
                line += 1
                dots = 0
            } else if byte == UInt8(ascii: ".") {
                dots += 1
                if dots > mostDots { return line }
            }
        }
        return nil
    }
}

private func visitTomlEvent(_ event: UnsafePointer<ctoml_event>?, _ context: UnsafeMutableRawPointer?) {
    guard let event, let context else { return }
    Unmanaged<TomlTreeBuilder>.fromOpaque(context).takeUnretainedValue().visit(event.pointee)
}

/// Builds the tree from the parser's events. The parser sorts the keys of a table by name; the tree has them in
/// the order of the text.
final class TomlTreeBuilder {
    /// A table or an array that has not ended yet.
    private struct Container {
        var key: (name: String, range: SourceRange)?
        var range: SourceRange
        var isTable: Bool
        var entries: [ConfigurationTable.Entry] = []
        var values: [ConfigurationValue] = []
    }

    private let file: Int
    private var open: [Container] = []
    /// The root table. It is complete once the parser has returned.
    private(set) var root = ConfigurationTable()

    init(file: Int) {
        self.file = file
    }

    func visit(_ event: ctoml_event) {
        switch event.kind {
        case CTOML_TABLE, CTOML_ARRAY:
            open.append(Container(key: key(event), range: range(event.range), isTable: event.kind == CTOML_TABLE))
        case CTOML_TABLE_END, CTOML_ARRAY_END:
            close()
        default:
            add(ConfigurationValue(kind: scalar(event), range: range(event.range)), key(event))
        }
    }

    private func scalar(_ event: ctoml_event) -> ConfigurationValue.Kind {
        switch event.kind {
        case CTOML_STRING: .string(text(event.string, event.string_length))
        case CTOML_INTEGER: .integer(event.integer)
        case CTOML_FLOAT: .number(event.number)
        case CTOML_BOOLEAN: .boolean(event.integer != 0)
        default: .date
        }
    }

    private func close() {
        guard let last = open.popLast() else { return }
        let kind: ConfigurationValue.Kind
        if last.isTable {
            let table = ConfigurationTable(
                entries: last.entries.sorted { a, b in
                    (a.keyRange.line, a.keyRange.column) < (b.keyRange.line, b.keyRange.column)
                })
            if open.isEmpty { root = table }
            kind = .table(table)
        } else {
            kind = .array(last.values)
        }
        add(ConfigurationValue(kind: kind, range: last.range), last.key)
    }

    private func add(_ value: ConfigurationValue, _ key: (name: String, range: SourceRange)?) {
        guard !open.isEmpty else { return }
        if let key {
            open[open.count - 1].entries.append(.init(key: key.name, keyRange: key.range, value: value))
        } else {
            open[open.count - 1].values.append(value)
        }
    }

    private func key(_ event: ctoml_event) -> (name: String, range: SourceRange)? {
        guard event.key != nil else { return nil }
        return (text(event.key, event.key_length), range(event.key_range))
    }

    private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let start else { return "" }
        return start.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
    }

    private func range(_ region: ctoml_range) -> SourceRange {
        let isOneLine = region.line == region.end_line && region.end_column > region.column
        return SourceRange(
            file: file, line: Int(region.line), column: Int(region.column),
            length: isOneLine ? Int(region.end_column - region.column) : 1)
    }
}
