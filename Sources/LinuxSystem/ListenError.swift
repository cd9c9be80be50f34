// SPDX-License-Identifier: MIT

/// Why the daemon cannot listen at its socket.
package enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    case system(SystemError)
    /// A process answers there.
    case inUse(path: String)
    /// Something is there that we have not made.
    case notOurs(path: String)

    package var description: String {
        switch self {
        case .system(let error):
            "\(error); give another path with --socket"
        case .inUse(let path):
            "socket \(path) is in use by a running process; stop it or give another path with --socket"
        case .notOurs(let path):
            "\(path) exists and is no socket of ours; remove it or give another path with --socket"
        }
    }
}
