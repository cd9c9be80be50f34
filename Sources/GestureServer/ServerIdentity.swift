// SPDX-License-Identifier: MIT

/// What `hello` says of the daemon.
package struct ServerIdentity: Hashable, Sendable {
    /// Name and version: `gestured 0.1.0`.
    package var server: String
    /// Another word at each start, so that clients see a restart.
    package var instance: String
    /// What this version can do beyond the commands of protocol 1's first day.
    package var capabilities: [String]

    /// What `GestureServer` and the wire of this version can do.
    package static let defaultCapabilities = [
        "subscribe", "touches", "explain", "frame", "describe", "scenes", "define_regions", "cancel", "clients",
    ]

    package init(server: String, instance: String, capabilities: [String] = Self.defaultCapabilities) {
        self.server = server
        self.instance = instance
        self.capabilities = capabilities
    }
}
