// SPDX-License-Identifier: MIT

/// `[daemon]`: settings of the process.
package struct DaemonSettings: Hashable, Sendable {
    /// The least important lines that are written.
    package enum LogLevel: String, Hashable, Sendable, CaseIterable {
        case debug, info, warning, error
    }

    package var logLevel = LogLevel.info
    /// Connections at a time. Default 64.
    package var maxClients = 64
    /// The scene after each start.
    package var scene = RuntimeState.defaultScene
    /// Of its key, if there is one.
    var sceneLocation: SourceRange?

    package init() {}

    static let keys: [Key<DaemonSettings>] = [
        Key("log_level", \.logLevel) { $0.choice(LogLevel.allCases.map { ($0.rawValue, $0) }) },
        Key("max_clients", \.maxClients) { $0.integer(1...1024) },
        Key("scene") { value, settings in
            guard let scene = value.label() else { return }
            settings.scene = scene
            settings.sceneLocation = value.value.range
        },
    ]
}

/// `[access]`: who may do more than listen.
package struct AccessSettings: Hashable, Sendable {
    package enum User: Hashable, Sendable {
        case uid(UInt32)
        /// To be looked up in the system's list of users.
        case name(String, SourceLocation)
    }

    /// May reload, switch scenes, define regions, and see private ones. Root and the daemon's own user
    /// always may.
    package var controlUsers: [User] = []

    package init() {}

    static let keys: [Key<AccessSettings>] = [Key("control_uids", \.controlUsers) { $0.users() }]
}

extension ValueReader {
    fileprivate func users() -> [AccessSettings.User]? {
        array(of: "user names or numbers", each: "a user")?.compactMap { item in
            guard case .integer = item.value.kind else {
                return item.label().map { .name($0, item.sink.location(of: item.value.range)) }
            }
            // The highest number means "nobody" in system calls.
            return item.named("a uid").integer(0...Int64(UInt32.max) - 1).map { .uid(UInt32($0)) }
        }
    }
}
