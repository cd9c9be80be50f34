// SPDX-License-Identifier: MIT
package import GestureProtocol
import LinuxSystem

/// Limits on the resources that clients can use.
package struct ServerLimits: Hashable, Sendable {
    /// The maximum number of simultaneous connections. 64 is far more than the number of programs on a kiosk.
    package var clients = 64
    /// The maximum number of simultaneous connections of one user.
    package var clientsPerUser = 16
    /// The number of connections reserved for root, so that root can connect even when others have used up the rest.
    package var reservedForRoot = 2
    /// The effective reservation: at most half of all connections.
    var keptForRoot: Int { max(0, min(reservedForRoot, clients / 2)) }
    /// The number of connections being closed (`ConnectionCloser`) at which no more connections are accepted.
    package var closings = 32
    /// Descriptors that are not available to clients: 64 devices, connections that are slow to close, and the
    /// daemon's own (13 with one device and no client), with room to read files and to accept 16 connections.
    package static let ownDescriptors = 64 + 32 + 48
    /// The minimum number of descriptors that are not available to clients: the daemon's own 13, and 13 to read files,
    /// to open panels, and to refuse clients.
    package static let fewestDescriptors = 13 + 13
    /// The maximum number of event lines that wait for one client. One finger produces 256 lines in two seconds at 120
    /// Hz.
    package var queuedLines = 256
    /// The maximum size in bytes of the event lines that wait for one client.
    package var queuedBytes = 64 * 1024
    /// The value for `SO_SNDBUF`, which the kernel doubles. It is small, because lines in the kernel's buffer can be
    /// neither merged nor dropped.
    package var socketBuffer: CInt = 8 * 1024
    /// The maximum number of bytes in a send call. A socket with this buffer accepts that many bytes completely or not
    /// at all, so the client receives complete lines even if the daemon ends. Linux cuts the bytes into pieces of half
    /// the doubled `SO_SNDBUF`, minus 64 (`unix_stream_sendmsg`); the longest event line has 4 KiB.
    var piece: Int { max(1, Int(socketBuffer) - 64) }
    /// A client whose events are being dropped is closed if it has read nothing for this time in microseconds.
    package var stuckTimeout: Int64 = 30_000_000
    /// The maximum number of requests of one client per second. The following value limits a burst.
    package var requestsPerSecond: Int64 = 64
    package var requestBurst: Int64 = 128
    /// The time in microseconds after which no more requests are started in a turn of the loop. The remaining requests
    /// wait for the next turn, in which the devices are handled first. It is 5 ms, because a panel with ten contacts at
    /// 1 kHz fills the kernel's buffer in 15 ms.
    package var turnBudget: Int64 = 5000
    /// While a client has more unsent bytes than this, its requests are not read.
    package var repliesAhead = 32 * 1024
    /// Like `repliesAhead`, but including the bytes of a partially read request.
    package var unreadAhead = 40 * 1024
    /// The maximum number of unsent bytes of all clients together. If it is exceeded, the client with the most unsent
    /// bytes is closed. 8 MiB hold several replies with the maximum number of regions.
    package var unsentTogether = 8 * 1024 * 1024
    /// The shortest and longest pause of the listener in microseconds after `accept` has failed.
    package var acceptPause: ClosedRange<Int64> = 100_000...1_000_000

    package init() {}

    /// Reduces the maximum number of clients so that enough descriptors are left for devices and the daemon itself.
    /// - Parameter descriptors: the maximum number of descriptors of the process.
    /// - Returns: whether the number was reduced.
    package mutating func fit(descriptors: Int) -> Bool {
        let own = min(Self.ownDescriptors, max(Self.fewestDescriptors, descriptors / 2))
        let left = max(1, descriptors - own)
        defer { clients = min(clients, left) }
        return clients > left
    }
}

/// The identity of the daemon in `hello`.
package struct ServerIdentity: Hashable, Sendable {
    /// Name and version, such as `gestured 0.1.0`.
    package var server: String
    /// A value that differs at each start, so that clients notice a restart.
    package var instance: String
    /// Capabilities added since the first version of protocol 1.
    package var capabilities: [String]

    package static let defaultCapabilities = [
        "subscribe", "touches", "explain", "frame", "describe", "scenes", "define_regions", "cancel", "clients",
        "idle", "put_region", "counts", "touch_map", "routes", "set_output", "set_profile", "activity",
    ]

    package init(server: String, instance: String, capabilities: [String] = Self.defaultCapabilities) {
        self.server = server
        self.instance = instance
        self.capabilities = capabilities
    }
}

/// The clocks that the server reads: the system's, or those of a test.
package struct ServerClock {
    /// Microseconds; never decreases.
    package var monotonic: () -> Int64
    /// The time of the current turn of the loop on the same clock, without reading a clock.
    package var turn: () -> Int64
    /// Microseconds since 1970, for `wall_ms`.
    package var wall: () -> Int64

    package init(
        monotonic: @escaping () -> Int64, wall: @escaping () -> Int64, turn: (() -> Int64)? = nil
    ) {
        self.monotonic = monotonic
        self.wall = wall
        self.turn = turn ?? monotonic
    }

    static func system(_ loop: EventLoop) -> Self {
        ServerClock(
            monotonic: { MonotonicClock.now() }, wall: { MonotonicClock.wallTime() }, turn: { loop.schedule.turnTime })
    }
}

/// For each right, the users and groups that have it.
package struct AccessLists: Hashable, Sendable {
    /// A right with the users and groups that have it.
    package struct Entry: Hashable, Sendable {
        package var right: Rights
        package var users: Set<UInt32>
        package var groups: Set<UInt32>

        package init(_ right: Rights, users: Set<UInt32> = [], groups: Set<UInt32> = []) {
            self.right = right
            self.users = users
            self.groups = groups
        }
    }

    private let entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// The rights of a peer.
    /// - Parameter ownUser: the uid of the daemon.
    func rights(of peer: PeerCredentials, ownUser: UInt32) -> Rights {
        if peer.user == 0 || peer.user == ownUser { return .all }
        var rights: Rights = []
        for entry in entries
        where entry.users.contains(peer.user) || entry.groups.contains(peer.group)
            || peer.groups.contains(where: { entry.groups.contains($0) })
        {
            rights.insert(entry.right)
        }
        return rights
    }
}
