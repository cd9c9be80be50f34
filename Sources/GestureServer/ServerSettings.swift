// SPDX-License-Identifier: MIT
package import GestureProtocol
import LinuxSystem

/// Limits the resources that clients can use: one property for each, which makes more than a dozen.
package struct ServerLimits: Hashable, Sendable {
    /// Connections at one time. 64: far more than a kiosk has programs.
    package var clients = 64
    /// Connections of one user.
    package var clientsPerUser = 16
    /// How many of all connections are reserved for root, so that it can connect when others have filled the rest.
    package var reservedForRoot = 2
    /// At most half of them.
    var keptForRoot: Int { max(0, min(reservedForRoot, clients / 2)) }
    /// Limit of connections that are being closed (`ConnectionCloser`): at this number no other is accepted.
    package var closings = 32
    /// Descriptors that are not for clients: 64 devices, connections that take long to close, and the daemon's own (13
    /// with one device and no client), with room to read files and to accept 16 connections.
    package static let ownDescriptors = 64 + 32 + 48
    /// The same where there are few: the daemon's own 13, and 13 to read files, to open panels, and to refuse clients.
    package static let fewestDescriptors = 13 + 13
    /// Event lines that wait for one client. 256: two seconds of a finger at 120 Hz.
    package var queuedLines = 256
    /// Bytes of event lines that wait for one client.
    package var queuedBytes = 64 * 1024
    /// `SO_SNDBUF`, which the kernel doubles. Lines that it holds can be neither merged nor dropped.
    package var socketBuffer: CInt = 8 * 1024
    /// The most bytes of one send call: a socket with this buffer takes them whole or not at all, so that whole lines
    /// are left when the daemon ends. Linux cuts the bytes into pieces of half the doubled `SO_SNDBUF`, less 64
    /// (`unix_stream_sendmsg`); the longest event line has 4 KiB.
    var piece: Int { max(1, Int(socketBuffer) - 64) }
    /// A client over the limit is closed when it takes no byte for this time, in microseconds.
    package var stuckTimeout: Int64 = 30_000_000
    /// Requests of one client: how many a second, and how many at once.
    package var requestsPerSecond: Int64 = 64
    package var requestBurst: Int64 = 128
    /// Microseconds of one turn of the loop after which no further request is begun; it waits for the next turn, after the
    /// devices. One that has begun is finished. 5 ms:
    /// a panel with ten contacts at 1 kHz fills the kernel's buffer in 15 ms.
    package var turnShare: Int64 = 5000
    /// While a client has more unsent bytes than this, its requests are not read.
    package var repliesAhead = 32 * 1024
    /// The same, together with the bytes of the request that was read in part.
    package var unreadAhead = 40 * 1024
    /// Unsent bytes of all clients together; beyond that the client with the most is closed. 8 MiB: several replies with
    /// all regions that there may be.
    package var unsentTogether = 8 * 1024 * 1024
    /// How long the listener pauses when `accept` fails, in microseconds: at first, and at most.
    package var acceptPause: ClosedRange<Int64> = 100_000...1_000_000

    package init() {}

    /// Reduces the number of clients so that descriptors remain for devices and the daemon's own use.
    /// - Parameter descriptors: how many the process may have.
    /// - Returns: whether the number was reduced.
    package mutating func fit(descriptors: Int) -> Bool {
        let own = min(Self.ownDescriptors, max(Self.fewestDescriptors, descriptors / 2))
        let left = max(1, descriptors - own)
        defer { clients = min(clients, left) }
        return clients > left
    }
}

/// The daemon's identity in `hello`.
package struct ServerIdentity: Hashable, Sendable {
    /// Name and version: `gestured 0.1.0`.
    package var server: String
    /// Different at each start, so that clients notice a restart.
    package var instance: String
    /// Additions to the first version of protocol 1.
    package var capabilities: [String]

    package static let defaultCapabilities = [
        "subscribe", "touches", "explain", "frame", "describe", "scenes", "define_regions", "cancel", "clients",
        "idle", "put_region", "counts", "touch_map", "routes",
    ]

    package init(server: String, instance: String, capabilities: [String] = Self.defaultCapabilities) {
        self.server = server
        self.instance = instance
        self.capabilities = capabilities
    }
}

/// The clocks that the server reads: the system's, or a test's.
package struct ServerClock {
    /// Microseconds; never goes back.
    package var monotonic: () -> Int64
    /// The same as of the loop's turn, without reading a clock.
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

/// Who may do more than listen: a list of users and groups for each right.
package struct AccessLists: Hashable, Sendable {
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

    /// - Parameter ownUser: the daemon's uid.
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
