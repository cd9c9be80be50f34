// SPDX-License-Identifier: MIT

/// Replies to requests, each as a complete line.
package enum ReplyLine {
    /// Writes the reply to a successful request.
    /// - Parameter body: writes the members of the reply.
    package static func success(
        _ command: CommandName, id: RequestID?, into json: inout JSONWriter, _ body: (inout JSONWriter) -> Void
    ) {
        json.line { json in
            writeHead(command, id, &json)
            json.member("ok", true)
            body(&json)
        }
    }

    /// Writes the reply to a request that had no effect.
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
