// SPDX-License-Identifier: MIT

/// Converts a line from a client to a request, or to the error that is sent as the reply.
///
/// A request with an unknown or repeated key, a wrong type, or a value out of range is refused as a whole.
package enum RequestReader {
    /// Reads a line.
    /// - Parameter line: a line without its line feed; neither empty nor a comment.
    package static func read(_ line: UnsafeBufferPointer<UInt8>) -> RequestOutcome {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.read(line)
        } catch {
            return .refused(command: nil, id: nil, error: RequestError(.badJSON, error.description))
        }
        return read(document.root)
    }

    package static func read(_ line: String) -> RequestOutcome {
        let bytes = Array(line.utf8)
        return bytes.withUnsafeBufferPointer { read($0) }
    }

    /// The id of a request that a program other than the daemon answers; `nil` if it is missing or invalid.
    package static func id(of object: JSONValue) -> RequestID? { try? readID(object) }

    private static func read(_ object: JSONValue) -> RequestOutcome {
        guard object.isObject else {
            return .refused(
                command: nil, id: nil,
                error: RequestError(.badRequest, "a request must be an object: {\"cmd\":\"ping\"}"))
        }
        var name: CommandName?
        var id: RequestID?
        do throws(RequestError) {
            id = try readID(object)
            let known = try readName(object)
            name = known
            return .request(Request(try readCommand(known, object), id: id))
        } catch {
            return .refused(command: name, id: id, error: error)
        }
    }

    private static func readID(_ object: JSONValue) throws(RequestError) -> RequestID? {
        guard let value = object["id"] else { return nil }
        if let integer = value.integer, abs53.contains(integer) { return .integer(integer) }
        if let string = value.string, string.utf8.count <= ProtocolLimits.identifierBytes { return .string(string) }
        throw RequestError(
            .badValue,
            "\"id\" must be a string of at most \(ProtocolLimits.identifierBytes) bytes or an integer below 2^53")
    }

    private static let abs53: ClosedRange<Int64> = -(1 << 53 - 1)...(1 << 53 - 1)

    private static func readName(_ object: JSONValue) throws(RequestError) -> CommandName {
        guard let value = object["cmd"] else { throw RequestError(.badRequest, "\"cmd\" is missing") }
        guard let word = value.string else { throw RequestError(.badValue, "\"cmd\" must be a string") }
        guard let name = CommandName(rawValue: word) else {
            throw RequestError(
                .unknownCommand, "unknown command \"\(SafeText.excerpt(word))\"",
                suggestion: Spelling.nearest(to: word, among: CommandName.allCases.map { $0.rawValue }))
        }
        return name
    }
}
