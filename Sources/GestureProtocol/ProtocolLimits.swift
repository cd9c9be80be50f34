// SPDX-License-Identifier: MIT

/// Limits that both ends of the protocol share.
package enum ProtocolLimits {
    /// The `protocol` in `hello`. It only changes with incompatible changes.
    package static let version = 1
    /// The length of a request line, including its line feed.
    package static let requestBytes = 64 * 1024
    /// The length of an event line, including its line feed. Replies and `state` may be longer.
    package static let eventBytes = 4096
    /// The length of a list in `subscribe`. It bounds the cost of loading a configuration.
    package static let listEntries = 64
    /// The number of regions in one `define_regions`.
    package static let definitions = 256
    /// The length of a request's `id` and of a glob.
    package static let identifierBytes = 128
}
