// SPDX-License-Identifier: MIT

/// Numbers that both ends of the protocol must know.
package enum ProtocolLimits {
    /// `protocol` in `hello`: changes only when something breaks.
    package static let version = 1
    /// A request line, its line feed included.
    package static let requestBytes = 64 * 1024
    /// An event line, its line feed included. Replies and `state` may be longer.
    package static let eventBytes = 4096
    /// Entries of one list in `subscribe`; bounds the cost of loading a configuration.
    package static let listEntries = 64
    /// Regions of one `define_regions`.
    package static let definitions = 256
    /// An `id` of a request, a glob.
    package static let identifierBytes = 128
}
