// SPDX-License-Identifier: MIT
package import GestureProtocol

/// `[daemon]`: settings of the process.
package struct DaemonSettings: Hashable, Sendable {
    /// The lowest level of lines that are written to the log.
    package var logLevel = LogLevel.info
    /// The maximum number of simultaneous connections. Default 64.
    package var maxClients = 64
    /// The maximum number of simultaneous connections of one user. Default 16. A bridge to web pages may need more, because
    /// all its connections belong to one user.
    package var maxClientsPerUser = 16
    /// The scene that is active after the daemon starts.
    package var scene = RuntimeState.defaultScene
    /// The location of the key `scene`, if it is present.
    var sceneLocation: SourceRange?

    static let keys: [Key<DaemonSettings>] = [
        Key("log_level", \.logLevel) { $0.choice(LogLevel.allCases.map { ($0.rawValue, $0) }) },
        Key("max_clients", \.maxClients) { $0.integer(1...1024) },
        Key("max_clients_per_user", \.maxClientsPerUser) { $0.integer(1...1024) },
        Key("scene") { value, settings in
            value.noteStandard(settings.scene)
            guard let scene = value.label() else { return }
            settings.scene = scene
            settings.sceneLocation = value.value.range
        },
    ]
}
