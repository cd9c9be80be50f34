// SPDX-License-Identifier: MIT
import CYaml
import GestureProtocol

/// Reads a YAML file with libyaml, one item at a time.
///
/// Only the text of the last scalar is kept, so memory does not depend on the length of the file. Any input results in
/// items or in an error with the line and the column.
struct YamlStream: ~Copyable {
    /// An item. In a mapping, each key is a scalar that precedes its value.
    enum Item: Hashable {
        case scalar
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
        /// The end of the only document.
        case end
    }

    /// The maximum depth of nesting. Recordings have seven levels.
    private static let deepest = 32

    /// The text of the last scalar.
    private(set) var text: [UInt8] = []
    /// Whether the last scalar was written without quotes. Only then does `null` stand for a missing value.
    private(set) var isPlain = false
    /// The position at which the last item begins; line and column are counted from 1.
    private(set) var line = 1
    private(set) var column = 1

    /// The parser is allocated on the heap, because libyaml keeps pointers into it, so it must not move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var depth = 0
    private var documents = 0

    /// - Parameter bytes: the whole file, which must exist for as long as the stream does.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordingError) {
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw RecordingError(.tooLarge, line: 0, "not enough memory to read the file")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Reads the next item. After the end of the document, it always returns `end`.
    mutating func next() throws(RecordingError) -> Item {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
            defer { yaml_event_delete(&event) }
            // libyaml counts from 0.
            (line, column) = (event.start_mark.line &+ 1, event.start_mark.column &+ 1)
            if let item = try take(event) { return item }
        }
    }

    /// Returns an error at the last item.
    func error(_ code: RecordingError.Code, _ message: String) -> RecordingError {
        RecordingError(code, line: line, column: column, message)
    }

    /// - Returns: `nil` for an event that is not an item.
    private mutating func take(_ event: yaml_event_t) throws(RecordingError) -> Item? {
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: UnsafeBufferPointer(start: scalar.value, count: scalar.length))
            isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return .scalar
        case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
            depth += 1
            guard depth <= Self.deepest else {
                throw error(.unknownLine, "more than \(Self.deepest) levels; recordings have seven")
            }
            return event.type == YAML_MAPPING_START_EVENT ? .mappingStart : .sequenceStart
        case YAML_SEQUENCE_END_EVENT:
            depth -= 1
            return .sequenceEnd
        case YAML_MAPPING_END_EVENT:
            depth -= 1
            return .mappingEnd
        case YAML_DOCUMENT_START_EVENT:
            documents += 1
            guard documents == 1 else {
                throw error(.wrongOrder, "this is a second document; a file holds one recording, so split it here")
            }
            return nil
        case YAML_ALIAS_EVENT:
            throw error(.unknownLine, "aliases are not supported in recordings; write the value out")
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
            return .end
        default:
            return nil
        }
    }

    /// Returns libyaml's error.
    private func failure() -> RecordingError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
        switch parser.pointee.error {
        case YAML_MEMORY_ERROR:
            return RecordingError(.tooLarge, line: 0, "not enough memory to read the file")
        case YAML_READER_ERROR:
            let mark = parser.pointee.mark
            return RecordingError(
                .badSyntax, line: mark.line &+ 1, column: mark.column &+ 1,
                "\(problem); recordings are UTF-8 text without control characters")
        default:
            let mark = parser.pointee.problem_mark
            let isTab =
                Glob("*tab character*").matches(problem) || problem.hasPrefix("found character that cannot start")
            return RecordingError(
                .badSyntax, line: mark.line &+ 1, column: mark.column &+ 1,
                "not YAML: \(problem); "
                    + (isTab ? "indent with spaces, not with tabs" : "correct this line, or cut the file before it"))
        }
    }
}
