// SPDX-License-Identifier: MIT

/// Limits that both ends of the protocol share.
package enum ProtocolLimits {
    /// The value of `protocol` in `hello`. Only incompatible changes increase it.
    package static let version = 1
    /// The maximum length in bytes of a request line, including its line feed.
    package static let requestBytes = 64 * 1024
    /// The maximum length in bytes of an event line, including its line feed. Replies and `state` may be longer.
    package static let eventBytes = 4096
    /// The maximum number of entries of a list in `subscribe`. It limits the cost of loading a configuration.
    package static let listEntries = 64
    /// The maximum number of regions in one `define_regions`.
    package static let definitions = 256
    /// The maximum length in bytes of a request's `id` and of a glob.
    package static let identifierBytes = 128
    /// The shortest and the longest time of a scene in milliseconds. The longest one is a week.
    package static let sceneTime: ClosedRange<Int64> = 100...604_800_000
    /// The rotations of an output: degrees, which are numbers in requests, and words.
    package static let rotationDegrees = ["0", "90", "180", "270"]
    package static let rotationWords = ["flipped", "flipped-90", "flipped-180", "flipped-270"]
    /// The shortest and the longest side of an output in pixels, as in the configuration.
    package static let outputPixels: ClosedRange<Int64> = 1...100_000
}
