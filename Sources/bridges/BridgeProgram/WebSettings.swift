// SPDX-License-Identifier: MIT
import CLinux
package import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// The settings in `web.toml`: the listening address, and the rights of pages.
package struct WebSettings: BridgeSettings, Hashable, Sendable {
    package static let standardFile = "/etc/gestured/web.toml"

    /// The address for browsers.
    package var listen = ListenAddress.internet(host: "127.0.0.1", port: 8990)
    /// The daemon's socket.
    package var socket = InstalledFiles.socket
    /// The folder of the inspector and of `gestured.js`.
    package var assets = InstalledFiles.folder + "/web"
    /// The file with the sums of the day of `gestured-report`.
    package var report = DailySums.standardFile
    /// The folder with the site's own files; `nil` if there is none.
    package var root: String?
    /// Names of the bridge in addition to those of the loopback address, such as the `Host` that a proxy passes on.
    package var hosts: [String] = []
    /// Origins of other pages that may connect, such as `https://kiosk.example`.
    package var origins: [String] = []
    /// The users that may connect to the loopback address. If there are none, all users of this machine may connect.
    package var users: [User] = []
    /// The commands that pages may send to the daemon.
    package var commands = Self.readOnlyCommands
    package var limits = Limits()

    /// Commands that do not change anything.
    package static let readOnlyCommands = [
        "subscribe", "status", "devices", "regions", "state", "ping", "at", "counts",
    ]

    /// A user, by name or number.
    package enum User: Hashable, Sendable {
        case number(UInt32)
        case name(String)
    }

    package struct Limits: Hashable, Sendable {
        /// The maximum number of simultaneous pages. WebSockets and event streams are both pages.
        package var pages = 64
        /// The maximum size of the body of a `/replay` or `/check` request, in megabytes.
        package var bodyMegabytes = 8
        /// The maximum duration of a `/replay` job, in seconds.
        package var replaySeconds = 10

        static let keys: [Key<Limits>] = [
            Key("pages", \.pages) { $0.integer(1...1024) },
            Key("body_mb", \.bodyMegabytes) { $0.integer(1...64) },
            Key("replay_seconds", \.replaySeconds) { $0.integer(1...120) },
        ]
    }

    package init() {}

    package static let keys: [Key<WebSettings>] = [
        Key("listen", \.listen) { $0.listenAddress() },
        Key("socket", \.socket) { $0.path() },
        Key("report", \.report) { $0.path() },
        Key("assets", \.assets) { value in
            value.noteStandard(InstalledFiles.usualFolder + "/web")
            return value.path()
        },
        Key("root", \.root) { $0.path() },
        Key("hosts", \.hosts) { $0.array(of: "names of hosts", each: "a host")?.compactMap { $0.hostName() } },
        Key("origins", \.origins) { $0.array(of: "origins", each: "an origin")?.compactMap { $0.origin() } },
        Key("users", \.users) { $0.array(of: "user names or numbers", each: "a user")?.compactMap { $0.user() } },
        Key("commands", \.commands) { value in
            let known = CommandName.allCases.map { ($0.rawValue, $0.rawValue) }
            return value.array(of: "commands", each: "a command")?.compactMap { $0.choice(known) }
        },
        Key("limits") { $0.table(Limits.keys, into: &$1.limits, name: "[limits]") },
    ]
}

extension WebSettings {
    package var warnings: [String] {
        let folders = [("assets", assets), ("root", root)].compactMap { key, path in
            path.flatMap { access($0, R_OK | X_OK) == 0 ? nil : "\(key) \($0): \(SystemError.last("access").reason)" }
        }
        let names = users.compactMap { user in
            if case .name(let name) = user, Users.number(of: name, isGroup: false) == nil { name } else { nil }
        }
        return folders + names.map { "users: there is no user \"\($0)\"" }
    }
}

/// The address at which the bridge listens. It is reachable only from this machine, because the bridge does not support
/// TLS.
package enum ListenAddress: TextSetting, Hashable, Sendable {
    case internet(host: String, port: UInt16)
    /// A Unix socket, for a proxy.
    case path(String)

    /// - Returns: `nil` if the text is neither `HOST:PORT` with a loopback address nor an absolute path.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            self = .path(text)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        switch text[..<colon] {
        case "127.0.0.1", "localhost": self = .internet(host: "127.0.0.1", port: port)
        case "[::1]": self = .internet(host: "::1", port: port)
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .internet(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .path(let path): path
        }
    }

    /// The address in the form that a browser uses.
    package var description: String {
        if case .path(let path) = self { "unix:\(path)" } else { "http://\(text)/" }
    }
}

extension ValueReader {
    fileprivate func listenAddress() -> ListenAddress? {
        let pattern = #"^((127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5}|/.+)$"#
        guard let text = label(matching: pattern) else { return nil }
        return ListenAddress(text)
            ?? error(
                .badValue,
                "\(name) cannot be \"\(text)\"; use \"127.0.0.1:8990\", \"[::1]:8990\" or the path of a Unix socket; for other machines, put a proxy with TLS in front of it"
            )
    }

    fileprivate func hostName() -> String? {
        guard let text = label(matching: #"^[A-Za-z0-9.:_\[\]-]+$"#) else { return nil }
        guard text.utf8.allSatisfy({ $0.isHostByte }) else {
            return error(.badValue, "\(name) must be the name of a host, such as \"kiosk.example\", not \"\(text)\"")
        }
        return text.lowercased()
    }

    /// Reads an origin, which must be written exactly as browsers send it, because it is compared as text.
    fileprivate func origin() -> String? {
        guard let text = label(matching: #"^https?://[a-z0-9.:_\[\]-]+$"#) else { return nil }
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.hasPrefix($0) }), text.utf8.count > scheme.utf8.count,
            text.dropFirst(scheme.count).utf8.allSatisfy({ $0.isHostByte }), text == text.lowercased()
        else {
            return error(
                .badValue,
                "\(name) must be a scheme and a host in lower case, such as \"https://kiosk.example\", not \"\(text)\"")
        }
        return text
    }

    fileprivate func user() -> WebSettings.User? {
        if notesUser() { return nil }
        return isInteger ? userNumber().map { .number($0) } : label().map { .name($0) }
    }
}

extension UInt8 {
    /// Whether the byte is a letter, a digit, or another character that may occur in `name:port` or `[::1]`.
    fileprivate var isHostByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
