// SPDX-License-Identifier: MIT

/// How much of the daemon clients can use up.
package struct ServerLimits: Hashable, Sendable {
    /// Connections at one time. 64: far more than a kiosk has programs.
    package var clients = 64
    /// Connections of one user.
    package var clientsPerUser = 16
    /// Of all connections, so many are kept for root: the way in when others have filled the rest.
    package var reservedForRoot = 2
    /// Never more than half of them: of few connections most are for those that they are meant for.
    var keptForRoot: Int { max(0, min(reservedForRoot, clients / 2)) }
    /// Descriptors that are no clients': 64 devices, and what the daemon itself has open, 13 with one
    /// device and no client, with room to read files.
    package static let ownDescriptors = 64 + 32
    /// Event lines that wait for one client. 256: two seconds of a finger at 120 Hz.
    package var queuedLines = 256
    /// Bytes of event lines that wait for one client.
    package var queuedBytes = 64 * 1024
    /// `SO_SNDBUF`, which the kernel doubles: what it holds can be neither merged nor dropped.
    package var socketBuffer: CInt = 8 * 1024
    /// So much is sent with one call: a socket with this buffer takes it whole or not at all, so that what the
    /// daemon leaves behind when it ends are whole lines. Linux cuts what it takes into pieces of half the
    /// doubled `SO_SNDBUF`, less 64 (`unix_stream_sendmsg`); the longest event line has 4 KiB.
    var piece: Int { max(1, Int(socketBuffer) - 64) }
    /// A client over the limit that takes no byte for so many microseconds is closed.
    package var stuckTimeout: Int64 = 30_000_000
    /// Requests of one client a second, and how many may come at once.
    package var requestsPerSecond: Int64 = 64
    package var requestBurst: Int64 = 128
    /// So many microseconds of one turn of the loop are for requests; what is left of them waits for the next turn,
    /// after the devices. 5 ms: a panel of ten fingers at 1 kHz fills the kernel's buffer in 15 ms.
    package var turnShare: Int64 = 5000
    /// A client with more unsent bytes than this has its next request read later.
    package var repliesAhead = 32 * 1024
    /// The same, with what was read of its next request: a client that does not read cannot make a long one.
    package var unreadAhead = 40 * 1024
    /// How long the listener rests when `accept` fails, in microseconds: at first, and at most.
    package var acceptPause: ClosedRange<Int64> = 100_000...1_000_000

    package init() {}

    /// Takes no more clients than there are descriptors for beside the daemon's own: a panel that is plugged in
    /// finds one, however many clients there are.
    /// - Parameter descriptors: as many as the process may have.
    /// - Returns: whether there are fewer clients now than there were to be.
    package mutating func fit(descriptors: Int) -> Bool {
        let left = max(1, descriptors - min(Self.ownDescriptors, descriptors / 2))
        defer { clients = min(clients, left) }
        return clients > left
    }
}
