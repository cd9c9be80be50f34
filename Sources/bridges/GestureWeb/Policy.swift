// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol
import NIOHTTP1

/// The rules for the pages that may connect, and for their requests.
struct Policy: Sendable {
    let settings: WebSettings

    /// Whether the request names this bridge. A foreign name that resolves to this address is an attempt at DNS
    /// rebinding: browsers would treat a page with that name as same-origin.
    func isOwn(_ headers: HTTPHeaders) -> Bool {
        let hosts = headers["Host"].map { $0[...] }
        return hosts.count == 1 && (isLoopback(hosts[0]) || isNamed(hosts[0]))
    }

    /// Whether the host is the loopback address. Any port is accepted, because an SSH tunnel uses a different one.
    private func isLoopback(_ host: Substring) -> Bool {
        ["127.0.0.1", "localhost", "[::1]"].contains(Self.withoutPort(host))
    }

    private func isNamed(_ host: Substring) -> Bool {
        let host = host.lowercased()
        return settings.hosts.contains { $0 == host || $0 == Self.withoutPort(host[...]) }
    }

    private static func withoutPort(_ host: Substring) -> String {
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return host.lowercased() }
        return host[..<colon].lowercased()
    }

    /// The relation of a page to the bridge.
    enum Relation: Hashable {
        case sameOrigin
        /// The origin is in `origins`.
        case allowed(String)
        case stranger
    }

    /// Returns the relation of the page that has sent a request. Browsers send `Origin` with each request for a
    /// WebSocket and with fetches from other origins, but not with fetches from the same origin. `Sec-Fetch-Site`
    /// distinguishes such a fetch from an `<img>` on another site's page. Programs send neither header.
    func relation(_ headers: HTTPHeaders) -> Relation {
        let origins = headers["Origin"]
        guard origins.count <= 1 else { return .stranger }
        if let origin = origins.first {
            if isSame(origin, host: headers["Host"].first ?? "") { return .sameOrigin }
            return settings.origins.contains(origin) ? .allowed(origin) : .stranger
        }
        switch headers["Sec-Fetch-Site"].first {
        case nil, "same-origin", "none": return .sameOrigin
        default: return .stranger
        }
    }

    /// Whether an origin is that of the bridge under the name in the request: without TLS on this machine, and with TLS
    /// under the names of a proxy. A page that a browser gets from such a name without TLS may come from anybody between
    /// them.
    private func isSame(_ origin: String, host: String) -> Bool {
        let host = host.lowercased()
        return (origin == "http://\(host)" && isLoopback(host[...]))
            || (origin == "https://\(host)" && isNamed(host[...]))
    }

    /// Returns the reply that refuses a message of a page; `nil` if the message may be passed to the daemon.
    func refusal(of message: [UInt8]) -> [UInt8]? {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.read(message)
        } catch {
            return Self.failure(RequestError(.badJSON, error.description), nil)
        }
        // The daemon would treat such a message as two requests, only one of which was checked.
        if message.contains(UInt8(ascii: "\n")) {
            return Self.failure(RequestError(.badRequest, "a message must be one line with one request"), document.root)
        }
        guard let command = document.root["cmd"]?.string else {
            return Self.failure(RequestError(.badRequest, "\"cmd\" is missing"), document.root)
        }
        if settings.commands.contains(command) { return nil }
        let advice =
            "pages may not use \"\(SafeText.excerpt(command))\"; add it to commands in /etc/gestured/web.toml, "
            + "then run: systemctl reload gestured-web"
        return Self.failure(RequestError(.permissionDenied, advice), document.root)
    }

    /// - Parameter request: the request. Its id is repeated in the reply.
    private static func failure(_ error: RequestError, _ request: JSONValue?) -> [UInt8] {
        let id = request.flatMap { RequestReader.id(of: $0) }
        let command = request.flatMap { $0["cmd"]?.string }.flatMap { CommandName(rawValue: $0) }
        var json = JSONWriter()
        ReplyLine.failure(error, command: command, id: id, into: &json)
        return json.bytes.dropLast()
    }
}
#endif
