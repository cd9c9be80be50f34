// SPDX-License-Identifier: MIT

/// Lines that are not events of panels: the start, the interruption and the end of a stream.
package enum ServerLine {
    /// Writes the first line of every stream.
    /// - Parameters:
    ///   - server: name and version, such as `gestured 0.1.0`.
    ///   - instance: a value that differs at each start of the daemon.
    ///   - rights: the rights of this client.
    package static func hello(
        server: String, instance: String, capabilities: [String], rights: Rights, configGeneration: Int64,
        into json: inout JSONWriter
    ) {
        json.line { json in
            json.member("event", "hello")
            json.member("protocol", ProtocolLimits.version)
            json.member("server", server)
            json.member("instance", instance)
            json.member("capabilities", capabilities)
            json.member("rights", rights.words)
            json.member("config_generation", configGeneration)
        }
    }

    /// Writes the current state. It is sent after `hello`, `subscribe` and `overflow`, and after a change of the right
    /// to see private regions, because that changes the stream.
    /// - Parameters:
    ///   - number: the `seq` of the last event of this connection, 0 before the first one.
    ///   - body: writes the members after `seq`.
    package static func state(number: Int64, into json: inout JSONWriter, body: (inout JSONWriter) -> Void) {
        json.line { json in
            json.member("event", "state")
            json.member("seq", number)
            body(&json)
        }
    }

    /// Writes the line that reports lost lines. A `state` line follows.
    package static func overflow(
        number: Int64, dropped: Int64, sinceMilliseconds: Int64, into json: inout JSONWriter
    ) {
        json.line { json in
            json.member("event", "overflow")
            json.member("seq", number)
            json.member("dropped", dropped)
            json.member("since_ms", sinceMilliseconds)
        }
    }

    /// Writes the last line before the server closes the connection.
    package static func bye(reason: String, into json: inout JSONWriter) {
        json.line { json in
            json.member("event", "bye")
            json.member("reason", reason)
        }
    }
}
