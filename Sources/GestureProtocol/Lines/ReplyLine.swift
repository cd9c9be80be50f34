// SPDX-License-Identifier: MIT

/// Answers to requests, each a whole line.
package enum ReplyLine {
    /// - Parameter body: writes the answer's own members.
    package static func success(
        _ command: CommandName, id: RequestID?, into json: inout JSONWriter, _ body: (inout JSONWriter) -> Void
    ) {
        json.line { json in
            writeHead(command, id, &json)
            json.member("ok", true)
            body(&json)
        }
    }

    /// Answers a request that did nothing.
    package static func failure(
        _ error: RequestError, command: CommandName?, id: RequestID?, into json: inout JSONWriter
    ) {
        json.line { json in
            writeHead(command, id, &json)
            json.member("ok", false)
            json.object("error") { error.write(into: &$0) }
        }
    }

    private static func writeHead(_ command: CommandName?, _ id: RequestID?, _ json: inout JSONWriter) {
        json.key("reply")
        if let command { json.value(command.rawValue) } else { json.null() }
        switch id {
        case nil: break
        case .integer(let number): json.member("id", number)
        case .string(let text): json.member("id", text)
        }
    }
}
