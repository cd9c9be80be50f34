// SPDX-License-Identifier: MIT

extension GeneratedFile {
    static let protocolSchema = GeneratedFile("docs/protocol.schema.json") { _ in
        var definitions = ProtocolLines.values.map { JSONTree.Member(key: $0.0, value: $0.1) }
        let gestures = ProtocolLines.gestures
        let events = ProtocolLines.otherEvents
        let requests = ProtocolLines.requests
        for form in ProtocolLines.parts + gestures + events + ProtocolLines.replies + requests
            + [ProtocolLines.regionDefinition]
        {
            definitions.append(.init(key: form.name, value: form.schema))
        }
        // A reader of the schema tries its alternatives in this order.
        let lines = events.prefix(2).map(\.name) + ["gesture"] + events.dropFirst(2).map(\.name)
        let server = lines + ProtocolLines.replies.map(\.name)
        definitions += [
            .init(key: "gesture", value: .oneOf(gestures.map(\.name))),
            .init(key: "serverLine", value: JSONTree.described("A line of the server.").with(.oneOf(server))),
            .init(key: "request", value: JSONTree.described("A line of a client.").with(.oneOf(requests.map(\.name)))),
        ]
        let schema: JSONTree = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "gestured protocol 1",
            "description":
                """
            Lines of the socket as this version writes and reads them. Server lines may gain keys: a client that \
            checks them should let unknown ones pass.
            """,
            "oneOf": [.reference("serverLine"), .reference("request")],
            "$defs": .object(definitions),
        ]
        return schema.formatted() + "\n"
    }
}
