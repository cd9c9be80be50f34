// SPDX-License-Identifier: MIT

/// How much of the daemon clients can use up.
package struct ServerLimits: Hashable, Sendable {
    /// Connections at one time. 64: far more than a kiosk has programs.
    package var clients = 64
    /// Connections of one user.
    package var clientsPerUser = 16
    /// Of all connections, so many are kept for root: the way in when others have filled the rest.
    package var reservedForRoot = 2
    /// Event lines that wait for one client. 256: two seconds of a finger at 120 Hz.
    package var queuedLines = 256
    /// Bytes of event lines that wait for one client.
    package var queuedBytes = 64 * 1024
    /// `SO_SNDBUF`, which the kernel doubles: what it holds can be neither merged nor dropped.
    package var socketBuffer: CInt = 8 * 1024
    /// A client over the limit that takes no byte for so many microseconds is closed.
    package var stuckTimeout: Int64 = 30_000_000
    /// Requests of one client a second, and how many may come at once.
    package var requestsPerSecond: Int64 = 64
    package var requestBurst: Int64 = 128
    /// A client with more unsent bytes than this has its next request read later.
    package var repliesAhead = 32 * 1024
    /// How long the listener rests when `accept` fails, in microseconds: at first, and at most.
    package var acceptPause: ClosedRange<Int64> = 100_000...1_000_000

    package init() {}
}
