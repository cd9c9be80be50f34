// SPDX-License-Identifier: MIT

/// The lines that are not events of panels: how a stream begins, breaks and ends.
///
/// Each function appends to the buffer; those with a `body` let the caller write the keys in the
/// middle, each with its comma in front.
package enum ServerLine {
    /// Always the first line.
    /// - Parameters:
    ///   - server: name and version: `gestured 0.1.0`.
    ///   - instance: another word at each start of the daemon.
    package static func hello(
        server: String, instance: String, capabilities: [String], configGeneration: Int64, into line: inout LineBuffer
    ) {
        line.append("{\"event\":\"hello\",\"protocol\":")
        line.appendInteger(ProtocolLimits.version)
        line.appendKey("server")
        line.appendQuoted(server)
        line.appendKey("instance")
        line.appendQuoted(instance)
        line.appendKey("capabilities")
        line.appendList(capabilities)
        line.appendKey("config_generation")
        line.appendInteger(configGeneration)
        line.append("}\n")
    }

    /// What is true now: after `hello`, after `subscribe`, after `overflow`.
    /// - Parameter number: `seq` of the last event of this connection, 0 before the first.
    package static func state(number: Int64, into line: inout LineBuffer, body: (inout LineBuffer) -> Void) {
        line.append("{\"event\":\"state\",\"seq\":")
        line.appendInteger(number)
        body(&line)
        line.append("}\n")
    }

    /// Says that lines were lost; a `state` follows.
    package static func overflow(
        number: Int64, dropped: Int64, sinceMilliseconds: Int64, into line: inout LineBuffer
    ) {
        line.append("{\"event\":\"overflow\",\"seq\":")
        line.appendInteger(number)
        line.appendKey("dropped")
        line.appendInteger(dropped)
        line.appendKey("since_ms")
        line.appendInteger(sinceMilliseconds)
        line.append("}\n")
    }

    /// The last line of a server that goes.
    package static func bye(reason: StaticString, into line: inout LineBuffer) {
        line.append("{\"event\":\"bye\",\"reason\":\"")
        line.append(reason)
        line.append("\"}\n")
    }
}
