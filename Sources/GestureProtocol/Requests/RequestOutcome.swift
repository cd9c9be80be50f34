// SPDX-License-Identifier: MIT

/// What became of one line from a client.
package enum RequestOutcome: Hashable, Sendable {
    case request(Request)
    /// To be answered with an error; the command and the id as far as they could be read.
    case refused(command: CommandName?, id: RequestID?, error: RequestError)
}
