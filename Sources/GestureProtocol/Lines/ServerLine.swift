// SPDX-License-Identifier: MIT

/// The lines that are not events of panels: how a stream begins, breaks and ends.
package enum ServerLine {
    /// Always the first line.
    /// - Parameters:
    ///   - server: name and version: `gestured 0.1.0`.
    ///   - instance: another word at each start of the daemon.
    ///   - rights: of this client.
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

    /// What is true now: after `hello`, after `subscribe`, after `overflow`, and when another right to see private
    /// regions makes another stream.
    /// - Parameters:
    ///   - number: `seq` of the last event of this connection, 0 before the first.
    ///   - body: writes the members after `seq`.
    package static func state(number: Int64, into json: inout JSONWriter, body: (inout JSONWriter) -> Void) {
        json.line { json in
            json.member("event", "state")
            json.member("seq", number)
            body(&json)
        }
    }

    /// Says that lines were lost; a `state` follows.
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

    /// The last line before the server closes the connection.
    package static func bye(reason: String, into json: inout JSONWriter) {
        json.line { json in
            json.member("event", "bye")
            json.member("reason", reason)
        }
    }
}
