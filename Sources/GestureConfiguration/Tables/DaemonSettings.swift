// SPDX-License-Identifier: MIT
package import GestureProtocol

/// `[daemon]`: settings of the process.
package struct DaemonSettings: Hashable, Sendable {
    /// The least important lines that are written.
    package var logLevel = LogLevel.info
    /// Connections at a time. Default 64.
    package var maxClients = 64
    /// Connections of one user at a time. 16: a bridge to web pages, whose pages are one user's, may need more.
    package var maxClientsPerUser = 16
    /// The scene after each start.
    package var scene = RuntimeState.defaultScene
    /// Of its key, if there is one.
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
