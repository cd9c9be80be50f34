// SPDX-License-Identifier: MIT

/// Answers to requests.
package enum ReplyLine {
    /// Writes `{"reply":"status","id":2,"ok":true`: the answer's own keys follow, then `end(into:)`.
    package static func begin(_ request: Request, into line: inout LineBuffer) {
        open(request.name, request.id, into: &line)
        line.append(",\"ok\":true")
    }

    package static func end(into line: inout LineBuffer) {
        line.append("}\n")
    }

    /// The whole line of a request that did nothing.
    package static func failure(
        _ error: RequestError, command: CommandName?, id: RequestID?, into line: inout LineBuffer
    ) {
        open(command, id, into: &line)
        line.append(",\"ok\":false,\"error\":{\"code\":\"")
        line.append(error.code.word)
        line.append("\"")
        line.appendKey("message")
        line.appendQuoted(error.message)
        if let suggestion = error.suggestion {
            line.appendKey("suggestion")
            line.appendQuoted(suggestion)
        }
        if let details = error.details { line.append(details) }
        line.append("}}\n")
    }

    private static func open(_ command: CommandName?, _ id: RequestID?, into line: inout LineBuffer) {
        line.append("{\"reply\":")
        if let command { line.appendQuoted(command.rawValue) } else { line.append("null") }
        switch id {
        case nil: break
        case .integer(let number):
            line.appendKey("id")
            line.appendInteger(number)
        case .string(let text):
            line.appendKey("id")
            line.appendQuoted(text)
        }
    }
}
