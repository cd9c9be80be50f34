// SPDX-License-Identifier: MIT
package import LinuxSystem

/// Who asks.
package struct Peer: Hashable, Sendable {
    /// Read once, when the connection was accepted.
    package var credentials: PeerCredentials
    /// Counts connections since the start; never used twice.
    package var connection: Int64
    /// uid 0, the daemon's own, or one of `[access]`: may change things and see private regions.
    package var mayControl: Bool

    package init(credentials: PeerCredentials, connection: Int64, mayControl: Bool) {
        self.credentials = credentials
        self.connection = connection
        self.mayControl = mayControl
    }
}
