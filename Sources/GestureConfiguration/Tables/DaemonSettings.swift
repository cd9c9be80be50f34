// SPDX-License-Identifier: MIT
package import GestureProtocol

/// `[daemon]`: settings of the process.
package struct DaemonSettings: Hashable, Sendable {
    /// The level of the least important lines that are written.
    package var logLevel = LogLevel.info
    /// The limit of simultaneous connections. Default 64.
    package var maxClients = 64
    /// The limit of simultaneous connections of one user. Default 16; a bridge to web pages, whose pages all
    /// belong to one user, may need more.
    package var maxClientsPerUser = 16
    /// The scene after each start.
    package var scene = RuntimeState.defaultScene
    /// The place of its key, if the key is present.
    var sceneLocation: SourceRange?

    static let keys: [Key<DaemonSettings>] = [
        Key("log_level", \.logLevel) { $0.choice(LogLevel.allCases.map { ($0.rawValue, $0) }) },
        Key("max_clients", \.maxClients) { $0.integer(1...1024) },
        Key("max_clients_per_user", \.maxClientsPerUser) { $0.integer(1...1024) },
        Key("scene") { value, settings in
            guard let scene = value.label() else { return }
            settings.scene = scene
            settings.sceneLocation = value.value.range
        },
    ]
}
